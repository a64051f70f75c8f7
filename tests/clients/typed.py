"""A part of `make lint`: the types that the modules of the pages name in their comments fit, as strictly as TypeScript can.

The compiler comes from npm, once, into the virtual environment. Where npm cannot be reached that is said, and nothing is
checked.
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Final

from tests.clients.npm import installed, run

HERE: Final = pathlib.Path(__file__).parent
PAGES: Final = HERE.parent.parent / "api" / "pages"
BUILD: Final = pathlib.Path(sys.prefix) / "pages"
NOT_OURS_TO_LOAD: Final = "docs.js"  # speaks to Swagger UI, which brings no types
HOW: Final = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "strict": True,
    "noUnusedLocals": True,
    "noUnusedParameters": True,
    "noImplicitReturns": True,
    "noFallthroughCasesInSwitch": True,
    "target": "esnext",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
    "types": [],
    "incremental": True,
    "tsBuildInfoFile": str(BUILD / "checked.json"),
}


def main() -> None:
    if not installed(HERE / "pages", BUILD):
        print("*** SKIPPED: npm cannot be reached, so the types of the pages were NOT checked. ***")
        return
    files = [str(path) for path in sorted(PAGES.glob("*.js")) if path.name != NOT_OURS_TO_LOAD]
    wanted = {"compilerOptions": HOW, "files": [*files, str(HERE / "pages" / "node.d.ts")]}
    (BUILD / "tsconfig.json").write_text(json.dumps(wanted, indent=2))
    got = run(BUILD, ["tsc", "--project", "."])
    if got.returncode:
        sys.exit(f"the types of the pages do not fit:\n{got.stdout}")
    print(f"Types fit in {len(files)} modules of the pages.")


if __name__ == "__main__":
    main()
