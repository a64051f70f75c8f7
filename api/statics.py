"""Files for browsers. Their address holds a digest of all of them: it may be kept for ever, and changes when one does.

Files that load one another by relative addresses stay together: the digest is that of the whole set.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import mimetypes
import pathlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from flask import Response, request
from werkzeug.exceptions import NotFound

from api.browsers import TEXTS, WORTH_IT, takes_gzip

FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"  # may be kept, and is asked about by its tag
FOR_AN_HOUR: Final = "max-age=3600"
CODE: Final = "application/javascript"
NOT_SERVED: Final = (".html", ".map")  # templates, and what only helps to find faults in the files of others


class Prepared(NamedTuple):
    """Bytes that many ask for: compressed once, and known by a tag that is weak because it stands for both forms."""

    raw: bytes
    zipped: bytes | None
    kind: str
    tag: str

    def answer(self, cache: str) -> Response:
        headers = {"ETag": f'W/"{self.tag}"', "Cache-Control": cache}
        if self.zipped is not None:
            headers["Vary"] = "Accept-Encoding"
        if request.if_none_match.contains_weak(self.tag):
            return Response(status=304, headers=headers)
        if self.zipped is not None and takes_gzip(request.headers.get("Accept-Encoding", "")):
            return Response(self.zipped, headers={**headers, "Content-Encoding": "gzip"}, content_type=self.kind)
        return Response(self.raw, headers=headers, content_type=self.kind)


def prepared(raw: bytes, kind: str) -> Prepared:
    zipped = gzip.compress(raw, 9, mtime=0) if len(raw) >= WORTH_IT and kind.startswith((*TEXTS, CODE)) else None
    return Prepared(raw, zipped, kind, hashlib.sha256(raw).hexdigest()[:16])


class Statics:
    """All files of some folders, by their names; some of them as they were made from what lies there."""

    def __init__(self, folders: Iterable[pathlib.Path], made: Mapping[str, bytes] = MappingProxyType({})) -> None:
        self._made = made
        self._files = {
            path.relative_to(folder).as_posix(): path
            for folder in folders
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix not in NOT_SERVED
        }

    @functools.cached_property
    def digest(self) -> str:
        whole = hashlib.sha256()
        for name in sorted(self._files):
            whole.update(f"{name} {hashlib.sha256(self._bytes(name)).hexdigest()}\n".encode())
        return whole.hexdigest()[:16]

    def _bytes(self, name: str) -> bytes:
        return self._made.get(name) or self._files[name].read_bytes()

    def address(self, name: str) -> str:
        if name not in self._files:
            raise KeyError(f"there is no file {name}")
        return f"/static/{self.digest}/{name}"

    def answer(self, name: str, cache: str = FOR_EVER) -> Response:
        return self._prepared(name).answer(cache)

    @functools.cache  # noqa: B019 - there are a few files, and they stay as long as the process does
    def _prepared(self, name: str) -> Prepared:
        if name not in self._files:
            raise NotFound
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return prepared(self._bytes(name), f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
