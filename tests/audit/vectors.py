"""The test vectors of docs/vectors: a bundle that is right, and forged ones beside it.

`python -m tests.audit.vectors` writes them anew, which is needed only when the format or the rules of the game change.
"""

from __future__ import annotations

import json
import pathlib
import random
from typing import Any, Final

from tests.audit.corpus import played
from tests.audit.forgeries import chained_anew, out_of_line

FOLDER: Final = pathlib.Path(__file__).parent.parent.parent / "docs" / "vectors"
EXPECTED: Final = FOLDER / "expected.json"


def main() -> None:
    match, rng = played("grafto"), random.Random("vectors")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "right.ndjson").write_bytes(match.bundle())
    (FOLDER / "while-it-was-on.ndjson").write_bytes(
        b"".join(json.dumps(event, separators=(",", ":")).encode() + b"\n" for event in match.seen[0])
    )
    expected: dict[str, Any] = {"right.ndjson": None, "while-it-was-on.ndjson": None}
    for forged in (*out_of_line(match, rng), *chained_anew(match, rng)):
        name = forged.name.replace(" ", "-") + ".ndjson"
        (FOLDER / name).write_bytes(forged.bundle)
        expected[name] = {"version": forged.version, "needs_the_rules": "second" not in forged.by}
    EXPECTED.write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
