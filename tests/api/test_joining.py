"""Modules are joined without changing what they mean, and refused where that cannot be promised."""

from __future__ import annotations

import re

import pytest

from api.app import PAGES
from api.joining import CannotJoin, joined
from api.table import ENTRY, scripts


def test_the_modules_of_the_page_become_one_script_and_those_beside_it_import_from_there() -> None:
    made = {name: text.decode() for name, text in scripts(PAGES).items()}
    assert not re.search(r"^import ", made[ENTRY], re.MULTILINE)
    for name, text in made.items():
        for wanted in re.findall(r'(?:from |await import\(|=> import\()"\./([\w-]+\.js)"', text):
            assert wanted in made, f"{name} imports {wanted}, which is not served"


def test_what_is_needed_stands_before_what_needs_it_and_only_once() -> None:
    sources = {
        "app.js": 'import { b } from "./b.js";\nimport { c } from "./c.js";\nb(c);\n',
        "b.js": 'import { c } from "./c.js";\nexport const b = (x) => x + c;\n',
        "c.js": "export const c = 1;\n",
    }
    assert joined(sources, "app.js") == {"app.js": "export const c = 1;\nexport const b = (x) => x + c;\nb(c);\n"}


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("const a = 1;\n", "both declare a"),
        ("async function a() {}\n", "both declare a"),
        ("const [one, two] = [1, 2];\n", "takes a value apart"),
        ('import a from "./other.js";\n', "only `import"),
        ('import "./other.js";\n', "only `import"),
        ("export default 1;\n", "only `import"),
        ('export { x } from "./other.js";\n', "only `import"),
        ('import { x } from "./missing.js";\n', "not there"),
        ('import { x } from "./app.js";\n', "import one another"),
    ],
)
def test_what_cannot_be_joined_is_refused(module: str, why: str) -> None:
    sources = {"app.js": 'import { a } from "./a.js";\nconst a = 1;\n', "a.js": module}
    with pytest.raises(CannotJoin, match=why):
        joined(sources, "app.js")
