"""A whole bundle, or a plain log, from the first line to the last; no more than one command is held at a time."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, Final

from domain.audit.fingerprint import fingerprint
from domain.audit.judging import Judge
from domain.audit.links import Links
from domain.audit.reading import FORMAT, FORMAT_VERSION, HASH, LONGEST, Line, Logged, canonical, event, lines
from domain.audit.report import Report, Wrong
from domain.editions import edition
from domain.games import BY_SLUG

OF_THE_MATCH: Final = ("match", "game", "rules_version", "match_rules", "options", "seed_commitment")
HEADER: Final = frozenset({"format", "format_version", *OF_THE_MATCH, "rules_fingerprint", "seats"})
MOST_EVENTS: Final = 1_000  # of one command
MOST_BYTES: Final = 4 * LONGEST
SEAT: Final = frozenset({"kind", "player", "level", "name"})
FOOTER: Final = frozenset({"version", "head", "server_seed", "signatures"})
# Judges the signatures in the last line of a bundle: gets the line and what the log came to, and notes what it found.
Signatures = Callable[[Mapping[str, Any], Report], None]
# Whether a bot's move at this version is to be found again.
Wanted = Callable[[int], bool]


def verify(
    file: BinaryIO,
    *,
    bots: Wanted = lambda version: True,
    noted: str | None = None,
    signatures: Signatures | None = None,
) -> Report:
    """`noted` is a hash that somebody kept while the match was on: it must be in the chain."""
    report = Report()
    try:
        walk = Walk(report, revealed(file), bots, noted)
        walk.through(file)
        walk.finish()
        if walk.footer is not None and signatures is not None:
            signatures(walk.footer, report)
    except Wrong as wrong:
        report.wrong = wrong
    return report


class Walk:
    """From line to line."""

    def __init__(self, report: Report, seed: bytes | None, bots: Wanted, noted: str | None) -> None:
        self._report, self._seed, self._noted = report, seed, noted
        self._links = Links(report, seed)
        self._judge = Judge(report, seed, bots) if seed is not None else None
        self._pending: list[Logged] = []  # the events of one command
        self._held = 0  # bytes that they had
        self._header: Mapping[str, Any] | None = None
        self.footer: Mapping[str, Any] | None = None
        self._found_noted = noted is None
        self._ended = False

    def through(self, file: BinaryIO) -> None:
        try:
            for line in lines(file):
                self._line(line)
        except Wrong as wrong:
            # A line that cannot be read at all is where the next event should be.
            if (
                wrong.kind == "format"
                and not wrong.version
                and not self._ended
                and (self._header or self._links.version)
            ):
                wrong.version = self._links.version + 1
            raise

    def _line(self, line: Line) -> None:
        found = line.found
        if line.number == 1 and "format" in found:
            self._header = _header(found)
        elif self.footer is not None:
            raise Wrong("format", 0, f"line {line.number} follows the last line of the bundle")
        elif "end" in found and self._header is not None:
            self.footer = found
        else:
            self._event(event(found, self._links.version + 1), line.size)

    def _event(self, one: Logged, size: int) -> None:
        self._report.ok("format")
        if self._pending and self._pending[-1].command_id != one.command_id:
            self._settle()
        if self._ended:
            raise Wrong("format", self._links.version + 1, "something follows the end of the match")
        self._links.follow(one)
        if self._links.broken:
            self._judge = None
        elif self._judge is None:
            self._report.not_checked("commands", "the match is not over, so its secrets are closed")
        else:
            self._pending.append(one)
            self._held += size
        if len(self._pending) > MOST_EVENTS or self._held > MOST_BYTES:
            raise Wrong("commands", self._pending[0].version, "no command brings about so much")
        self._found_noted = self._found_noted or one.hash == self._noted
        self._ended = one.type == "match_ended"
        if self._ended and self._seed is not None and one.public.get("server_seed") != self._seed.hex():
            raise Wrong("seed", one.version, "the end of the match does not show the seed")
        if self._ended and self._links.broken:
            raise Wrong("seed", one.version, "the seed that is shown here is not the one that version 1 promised")

    def _settle(self) -> None:
        if self._pending and self._judge is not None:
            self._judge.judge(tuple(self._pending))
        self._pending.clear()
        self._held = 0

    def finish(self) -> None:
        self._settle()
        if self._ended and self._seed is None:
            raise Wrong("seed", self._links.version, "the end of the match does not show the seed")
        if not self._links.version:
            raise Wrong("format", 0, "there are no events")
        if self._header is not None:
            self._agree(self._header)
        if not self._found_noted:
            raise Wrong("chain", 0, "the hash that was noted is not in this chain")
        if self._seed is not None and not self._ended:
            raise Wrong("format", self._links.version, "the seed is here, and the end of the match is not")

    # ── The first and the last line ─────────────────────────────────────────────────────────────────────────────────

    def _agree(self, header: Mapping[str, Any]) -> None:
        """Nothing chains these lines to the events, so whatever they say of them must be what the events say."""
        if self.footer is None:
            raise Wrong("format", 0, "the last line of the bundle is missing: it was cut off")
        end, report = self.footer["end"], self._report
        if set(self.footer) != {"end"} or type(end) is not dict or set(end) != FOOTER:
            raise Wrong("format", 0, "the last line has not the fields that it should have")
        if type(end["signatures"]) is not list:
            raise Wrong("format", 0, "the signatures are no list")
        if canonical([end["version"], end["head"]]) != canonical([report.version, report.head]):
            raise Wrong("format", 0, "the last line names another head than the log has")
        if end["server_seed"] != (self._seed.hex() if self._seed is not None else None):
            raise Wrong("format", 0, "the last line has another seed than the log")
        opened = {"match_rules": 1, **self._links.opened}
        opened["match"] = opened["match_id"]
        for name in OF_THE_MATCH:
            if canonical(header[name]) != canonical(opened.get(name)):
                raise Wrong("format", 0, f"the first line has another {name} than the log")
        self._seats(header["seats"])
        self._rules(header)

    def _seats(self, seats: Any) -> None:
        """Names are as they were when the bundle was made; who is meant must be who sat there."""
        if type(seats) is not list or any(type(one) is not dict or set(one) != SEAT for one in seats):
            raise Wrong("format", 0, "the first line does not say who sat at the table")
        if any(type(one["name"]) not in (str, type(None)) for one in seats):
            raise Wrong("format", 0, "a name is no text")
        told = [[one["kind"], one["player"], one["level"]] for one in seats]
        same = canonical([one["player"] for one in seats]) == canonical(self._links.players)
        if self._judge is not None and self._judge.now is not None:
            same = canonical(told) == canonical([[c.kind, c.player, c.level] for c in self._judge.now.chairs])
        if not same:
            raise Wrong("format", 0, "the first line has other players than the log")

    def _rules(self, header: Mapping[str, Any]) -> None:
        """The fingerprint is that of the edition that the match is played by."""
        known, number = BY_SLUG.get(header["game"]), header["rules_version"]
        game = edition(known, number) if known is not None and type(number) is int and number <= known.version else None
        if game is None:
            self._report.not_checked("rules", "this release has no such version of the rules")
        elif fingerprint(game) != header["rules_fingerprint"]:
            self._report.not_checked("rules", "the bundle was made with rules in other words than this release has")
        else:
            self._report.ok("rules")


def revealed(file: BinaryIO) -> bytes | None:
    """The seed, from the end of the match if the log has it. It is looked for first, since every salt comes from it."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - 3 * LONGEST))
    tail = file.read().rstrip().split(b"\n")[-2:]
    file.seek(0)
    for raw in tail:
        if b'"match_ended"' not in raw or len(raw) > LONGEST:
            continue
        try:
            found = next(lines(io.BytesIO(raw))).found["public"]["server_seed"]
            if HASH.fullmatch(found):
                return bytes.fromhex(found)
        except (Wrong, KeyError, TypeError, StopIteration):
            continue
    return None


def _header(line: Mapping[str, Any]) -> Mapping[str, Any]:
    if line.get("format") != FORMAT:
        raise Wrong("format", 0, "this is no audit bundle")
    if canonical(line.get("format_version")) != canonical(FORMAT_VERSION):
        raise Wrong("format", 0, f"this release reads version {FORMAT_VERSION} of the format")
    if set(line) != HEADER or type(line["rules_fingerprint"]) is not str:
        raise Wrong("format", 0, "the first line has not the fields that it should have")
    return line
