"""Which modules hold a game's rules, and which tests are that game's tests."""

from __future__ import annotations

import ast
import functools
import pathlib
from collections.abc import Iterator
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).parents[2]
GAMES, KIT, TESTS = ROOT / "domain" / "games", ROOT / "domain" / "kit", ROOT / "tests"
THE_KIT = "kit"  # stands for the modules that several games share
# Rule texts break no rule, and the texts for other programs (PDN, mat) are no part of a rule.
NOT_RULES = frozenset({"rules", "pdn", "mat", "bot"})


class Target(NamedTuple):
    slug: str
    modules: dict[str, pathlib.Path]  # to put faults into, by dotted name
    family: frozenset[str]  # all that is imported anew with them
    tests: tuple[pathlib.Path, ...]  # files and folders whose tests all count
    common: tuple[pathlib.Path, ...]  # files and folders of which the tests with this game as parameter count


def slugs() -> list[str]:
    found = {path.stem for path in GAMES.glob("*.py")} | {path.parent.name for path in GAMES.glob("*/__init__.py")}
    return sorted(name.replace("_", "-") for name in found - {"__init__"})


def target(slug: str) -> Target:
    if slug == THE_KIT:
        return _kit()
    name = slug.replace("-", "_")
    own = dict(_modules(GAMES / name)) or {dotted(path): path for path in [GAMES / f"{name}.py"] if path.exists()}
    if not own:
        raise SystemExit(f"no game {slug}; there are {', '.join(slugs())}, and {THE_KIT}")
    kit = {dotted(KIT / f"{part}.py"): KIT / f"{part}.py" for part, users in _users().items() if users == {name}}
    family = own | kit
    tests = [TESTS / "domain" / "games" / name, TESTS / "domain" / "games" / f"test_{name}.py"]
    tests += [TESTS / "domain" / "kit" / f"test_{path.stem}.py" for path in family.values()]
    common = [
        *sorted((TESTS / "domain").glob("test_*.py")),
        TESTS / "domain" / "telling",
        TESTS / "golden",
        TESTS / "leaks",
    ]
    return Target(
        slug,
        {module: path for module, path in family.items() if path.stem not in NOT_RULES},
        frozenset({*family, "domain.games"}),
        tuple(path for path in tests if path.exists()),
        tuple(path for path in common if path.exists()),
    )


def _kit() -> Target:
    shared = {part for part, users in _users().items() if len(users) > 1} - NOT_RULES
    modules = {dotted(KIT / f"{part}.py"): KIT / f"{part}.py" for part in sorted(shared)}
    family = frozenset(dotted(path) for folder in (GAMES, KIT) for path in folder.rglob("*.py"))
    return Target(THE_KIT, modules, family, (TESTS / "domain" / "kit", TESTS / "domain" / "games"), ())


def dotted(path: pathlib.Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _modules(folder: pathlib.Path) -> Iterator[tuple[str, pathlib.Path]]:
    for path in sorted(folder.rglob("*.py")):
        yield dotted(path), path


@functools.cache
def _users() -> dict[str, set[str]]:
    """Which games reach each module of the kit, be it through another one."""
    imports = {path.stem: _kit_imports([path]) for path in KIT.glob("*.py") if path.stem != "__init__"}
    users: dict[str, set[str]] = {part: set() for part in imports}
    for slug in slugs():
        name = slug.replace("-", "_")
        reached: set[str] = set()
        ahead = _kit_imports([GAMES / f"{name}.py", *(GAMES / name).rglob("*.py")])
        while ahead:
            reached |= ahead
            ahead = {further for part in ahead for further in imports.get(part, ())} - reached
        for part in reached & users.keys():
            users[part].add(name)
    return users


def _kit_imports(paths: list[pathlib.Path]) -> set[str]:
    found: set[str] = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())) if path.exists() else ():
            if isinstance(node, ast.ImportFrom) and node.module == "domain.kit":
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("domain.kit."):
                found.add(str(node.module).split(".")[2])
    return found


def belongs(target: Target, item: Any) -> bool:
    """Whether a test is one of this game: from its own files, or a common one with the game among its parameters."""
    if any(item.path == path or path in item.path.parents for path in target.tests):
        return True
    params = getattr(item, "callspec", None)
    return params is not None and any(_names(value, target.slug) for value in params.params.values())


def _names(value: Any, slug: str) -> bool:
    if isinstance(value, pathlib.Path):
        return value.name.split(".")[0] == slug
    return value == slug or getattr(value, "slug", None) == slug
