"""The tool that measures the tests finds what they find, and tells what they miss."""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import pytest

from domain.game import Refused, Secret
from tests.mutants import targets
from tests.mutants.__main__ import fair_sample
from tests.mutants.operators import Mutant, mutants_of
from tests.mutants.running import every_mutant
from tests.mutants.survivors import FOLDER, accepted, stanza

SOURCE = '''
"""A text."""
Event = int | str

def refuse(s: Table, seat: int) -> Refused | None:
    """A text."""
    if seat != s.turn:
        return Refused("XY-01", "not_your_turn", "it is not your turn")
    return None

def deal(s: Table, deck: tuple[str, ...]) -> Secret:
    """A text."""
    return Secret(deck[1:], (s.turn + 1,))
'''


def changes(mutants: list[Mutant]) -> list[tuple[str, str, str]]:
    return [(mutant.function, mutant.before, mutant.after) for mutant in mutants]


def test_faults_are_put_into_decisions_and_secrets_and_not_into_texts() -> None:
    made = changes(mutants_of("tests.sample", ast.parse(SOURCE), {"Refused": Refused, "Secret": Secret}))
    guard, secret = "if seat != s.turn:", "return Secret(deck[1:], (s.turn + 1,))"
    assert {before for function, before, _ in made if function == "refuse"} == {
        guard,
        "return Refused('XY-01', 'not_your_turn', 'it is not your turn')",
    }
    assert {after for _, before, after in made if before == guard} == {"if False:", "if seat == s.turn:"}
    assert {after for _, before, after in made if before == secret} == {
        "return Secret(deck[1:], None)",
        "return Secret(deck[1:], ())",
        "return Secret(deck[1:-1], (s.turn + 1,))",
        "return Secret(deck[2:], (s.turn + 1,))",
        "return Secret(deck[0:], (s.turn + 1,))",
        "return Secret(deck[1:], (s.turn - 1,))",
        "return Secret(deck[1:], (s.turn + 2,))",
        "return Secret(deck[1:], (s.turn + 0,))",
    }
    assert not any("A text" in before or "it is not your turn~" in after for _, before, after in made)
    assert not any(before.startswith("Event") for _, before, _ in made)


def test_a_sample_is_fair_over_functions_and_always_the_same() -> None:
    _, found = every_mutant(targets.target("quenette"))
    functions = {mutant.function for mutant in found}
    sample = fair_sample(found, len(functions), seed=7)
    assert {mutant.function for mutant in sample} == functions
    assert changes(sample) == changes(fair_sample(found, len(functions), seed=7))
    assert changes(sample) != changes(fair_sample(found, len(functions), seed=8))


def test_sly_faults_show_at_some_tables_or_in_later_hands_only() -> None:
    _, found = every_mutant(targets.target("quenette"))
    circumstances = {mutant.after.rpartition("  when ")[2] for mutant in found if mutant.sly}
    assert {"s.hand_no > 1", "seat == s.seats - 1"} < circumstances
    assert sum(text.startswith("s.seats == ") for text in circumstances) > 5


@pytest.mark.parametrize("slug", sorted(path.stem for path in FOLDER.glob("*.toml")))
def test_every_survivor_with_a_reason_is_a_mutant_that_exists(slug: str) -> None:
    _, found = every_mutant(targets.target(slug))
    for one in accepted(slug):
        assert any(one.covers(mutant) for mutant in found), f"{one.function}: {one.before} -> {one.after}"


def test_a_stanza_for_the_list_of_survivors_reads_back() -> None:
    import tomllib

    _, found = every_mutant(targets.target("goat"))
    for mutant in found:
        entry = tomllib.loads(stanza(mutant))["survivor"][0]
        assert (entry["before"], entry["after"], entry.get("repeat", 1)) == (
            mutant.before,
            mutant.after,
            mutant.repeat,
        )


PROBE = """
import json, sys
from tests.mutants import targets
from tests.mutants.running import measure

slug, wanted = sys.argv[1], json.loads(sys.argv[2])
target = targets.target(slug)
# The common tests take minutes without any fault; those of frozen matches are enough to find these.
few = tuple(path for path in target.common if path.name == "golden")

def choose(found):
    chosen = [mutant for mutant in found if [mutant.function, mutant.before, mutant.after] in wanted]
    inside = next(mutant for mutant in found if mutant.in_body)
    outside = next(mutant for mutant in found if not mutant.in_body)
    return chosen + [same._replace(replacement=same.original, function=same.function) for same in (inside, outside)]

results = measure(target._replace(common=few), choose, lambda count, result: None, jobs=1)
print(json.dumps([[r.mutant.before, r.killed, r.by] for r in results]))
"""


@pytest.mark.parametrize(
    ("slug", "faults"),
    [
        (
            "quenette",
            [
                ("deal", "hidden(extras)", "told_to_all(extras)"),
                ("evolve", "turn=left_of(dealer, s.seats)", "turn=dealer"),
                ("", "seats=range(2, 14)", "seats=range(2, 13)"),
            ],
        ),
    ],
)
def test_faults_are_found_and_code_without_a_fault_survives(slug: str, faults: list[tuple[str, str, str]]) -> None:
    """Both ways: with the function's code exchanged, and with all modules imported anew."""
    ran = subprocess.run(
        [sys.executable, "-c", PROBE, slug, json.dumps(faults)], capture_output=True, text=True, cwd=targets.ROOT
    )
    assert ran.returncode == 0, ran.stderr
    *found, inside, outside = json.loads(ran.stdout.splitlines()[-1])
    assert len(found) == len(faults)
    for before, killed, by in found:
        assert killed and "::test_" in by, before
    assert not inside[1] and not outside[1]
