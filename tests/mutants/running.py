"""Runs a game's tests against each mutant: in a fork of a process that has collected the tests already.

Where a fault lies in the body of a function the fork exchanges the code of that function, so that whoever has a
reference to it meets the fault. Where it lies outside, or in a function that ran while modules were imported, the fork
forgets the game and its tests, and imports and collects them anew.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import importlib.machinery
import importlib.util
import os
import pickle
import re
import resource
import signal
import sys
import tempfile
import time
import types
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants import targets
from tests.mutants.operators import HELPERS, Mutant, mutants_of

FLAGS = ["-q", "-p", "no:cacheprovider", "-p", "no:timeout", "-p", "no:xdist", "--assert=plain", "--tb=native", "-s"]
FLAGS += ["-o", "addopts=", "--import-mode=importlib", "-W", "ignore", "--rootdir", str(targets.ROOT)]
SLOW = 0.25  # seconds; what takes longer is not traced, and counts as reaching every line
MEMORY = 4 << 30
SURVIVED, KILLED, BROKEN = 0, 1, 2


class Result(NamedTuple):
    mutant: Mutant
    killed: bool
    by: str  # the test that found it, or the last one tried
    seconds: float  # of processor time


class Known(NamedTuple):
    """What a run without any fault says about a test."""

    seconds: float
    lines: dict[str, set[int]] | None  # by file; None: too slow to be traced


Choose = Callable[[list[Mutant]], list[Mutant]]
Report = Callable[[int, Result | None], None]


def measure(
    target: targets.Target, choose: Choose, report: Report, jobs: int, budget: float = float("inf")
) -> list[Result]:
    """Every chosen mutant with its fate. `report` hears of each, and first of how many there are. What no test has found
    after so many seconds of processor time is left alone: it can only be taken for a survivor wrongly."""
    session = _Session(target, choose, report, jobs, budget)
    called = _CalledEarly(target)
    sys.setprofile(called.note)
    session.called_early = called.functions
    _narrow(target.slug)
    pytest.main([*map(str, (*target.tests, *target.common)), *FLAGS], plugins=[session, _Quiet()])
    if session.failure:
        raise SystemExit(session.failure)
    return session.results


def every_mutant(target: targets.Target) -> tuple[dict[str, ast.Module], list[Mutant]]:
    """The syntax trees of the modules by name, and every fault that can be put into them."""
    from domain.games import BY_SLUG

    trees = {name: ast.parse(path.read_text()) for name, path in target.modules.items()}
    seats = BY_SLUG[target.slug].seats if target.slug in BY_SLUG else ()
    found = [
        mutant
        for name, tree in trees.items()
        for mutant in mutants_of(name, tree, vars(importlib.import_module(name)), seats)
    ]
    return trees, found


def _narrow(slug: str) -> None:
    """A catalogue of this one game, so that the common tests are collected for no other."""
    import domain.games

    if slug != targets.THE_KIT:
        domain.games.GAMES = tuple(game for game in domain.games.GAMES if game.slug == slug)  # type: ignore[misc]


class _Quiet:
    """Nothing of pytest's own report is wanted."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: Any) -> None:
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter._tw._file = open(os.devnull, "w")  # noqa: SIM115


class _CalledEarly:
    """The functions that run while modules are imported and tests collected."""

    def __init__(self, target: targets.Target) -> None:
        self.files = {str(path): module for module, path in target.modules.items()}
        self.functions: set[tuple[str, str]] = set()

    def note(self, frame: types.FrameType, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename in self.files:
            self.functions.add((self.files[code.co_filename], code.co_qualname.partition(".<")[0]))


class _Session:
    """A pytest session whose loop runs the tests once for each mutant."""

    def __init__(self, target: targets.Target, choose: Choose, report: Report, jobs: int, budget: float) -> None:
        self.target, self.choose, self.report, self.jobs, self.budget = target, choose, report, jobs, budget
        self.called_early: set[tuple[str, str]] = set()
        self.results: list[Result] = []
        self.failure = ""
        self.kills: dict[str, Counter[int]] = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if targets.belongs(self.target, item)]

    def pytest_collection_finish(self, session: Any) -> None:
        sys.setprofile(None)

    def pytest_runtestloop(self, session: Any) -> bool:
        self.items = session.items
        if session.testsfailed or not self.items:
            self.failure = "the tests cannot be collected"
            return True
        self.known = self._without_fault()
        if not self.failure:
            self.trees, found = every_mutant(self.target)
            self._run(self.choose(found))
        return True

    # ── The run without a fault ─────────────────────────────────────────────────────────────────────────────────

    def _without_fault(self) -> list[Known]:
        """In a fork, so that nothing that it leaves in a cache can hide a fault later."""
        with tempfile.TemporaryFile() as kept:
            pid = os.fork()
            if not pid:
                _silence()
                pickle.dump([self._learn(item) for item in self.items], kept)
                kept.flush()
                os._exit(0)
            os.waitpid(pid, 0)
            kept.seek(0)
            learnt: list[Known | str] = pickle.load(kept)
        broken = [one for one in learnt if isinstance(one, str)]
        if broken:
            self.failure = f"without any fault these tests fail: {', '.join(broken)}"
        return [one for one in learnt if isinstance(one, Known)]

    def _learn(self, item: Any) -> Known | str:
        _forget(self.target)
        started = time.process_time()
        if not _passes(item):
            return str(item.nodeid)
        seconds = time.process_time() - started
        if seconds > SLOW:
            return Known(seconds, None)
        lines: dict[str, set[int]] = {str(path): set() for path in self.target.modules.values()}

        def trace(frame: types.FrameType, event: str, arg: Any) -> Any:
            seen = lines.get(frame.f_code.co_filename)
            if seen is None:
                return None
            seen.add(frame.f_lineno)
            return trace

        _forget(self.target)
        sys.settrace(trace)
        _passes(item)
        sys.settrace(None)
        return Known(seconds, lines)

    # ── The runs with one ───────────────────────────────────────────────────────────────────────────────────────

    def _run(self, mutants: Sequence[Mutant]) -> None:
        self.report(len(mutants), None)
        gc.collect()
        gc.freeze()
        ahead = list(reversed(mutants))
        running: dict[int, tuple[Mutant, int]] = {}
        while ahead or running:
            while ahead and len(running) < self.jobs:
                mutant = ahead.pop()
                reading, writing = os.pipe()
                pid = os.fork()
                if not pid:
                    os.close(reading)
                    self._meet(mutant, writing)
                os.close(writing)
                running[pid] = mutant, reading
            pid, status, used = os.wait4(-1, 0)
            mutant, reading = running.pop(pid)
            with os.fdopen(reading) as told:
                self._note(mutant, status, told.read(), used.ru_utime + used.ru_stime)

    def _note(self, mutant: Mutant, status: int, told: str, seconds: float) -> None:
        place = int(told.split()[-1]) if told else None  # the test that was at work last
        by = self.items[place].nodeid.rpartition("/")[2] if place is not None else ""
        if os.WIFSIGNALED(status):
            result = Result(mutant, True, f"{by} (ended by {signal.Signals(os.WTERMSIG(status)).name})", seconds)
        else:
            result = Result(mutant, os.WEXITSTATUS(status) != SURVIVED, by, seconds)
        if result.killed and place is not None:
            self.kills.setdefault(mutant.function, Counter())[place] += 1
        self.results.append(result)
        self.report(len(self.results), result)

    def _meet(self, mutant: Mutant, writing: int) -> None:
        """In the fork: the tests against the mutant, the quick ones first. Ends the process."""
        status = BROKEN
        try:
            _silence()
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            early = (mutant.module, mutant.function) in self.called_early
            if mutant.in_body and not early and self._exchange(mutant):
                order = self._order(mutant)
                status = self._try([(place, self.items[place]) for place in order], writing)
            else:
                status = self._anew(mutant, writing)
        finally:
            os._exit(status)

    def _order(self, mutant: Mutant) -> list[int]:
        """The tests that come by the fault; those that find much in this function, and the quick ones, stand first."""
        path = str(self.target.modules[mutant.module])
        by_line = [n for n, known in enumerate(self.known) if _reaches(known, path, mutant.span)]
        kills = self.kills.get(mutant.function, Counter())
        size = re.search(r"when s\.seats == (\d+)$", mutant.after)
        fitting = {n for n in by_line if size and self._seats(n) == int(size[1])}
        return sorted(by_line, key=lambda n: self.known[n].seconds / (1 + kills[n]) / (20 if n in fitting else 1))

    def _seats(self, place: int) -> int | None:
        """At how many seats a test plays, if it is one of many of the kind."""
        params = getattr(self.items[place], "callspec", None)
        return params.params.get("seats") if params is not None else None

    def _try(self, items: Iterable[tuple[int, Any]], writing: int) -> int:
        spent = 0.0
        for place, item in items:
            spent += self.known[place].seconds
            if spent > self.budget:
                break
            # What was quick and now runs on and on has met an endless loop: the signal ends the process.
            signal.setitimer(signal.ITIMER_PROF, 1 + 6 * self.known[place].seconds)
            os.write(writing, f"{place} ".encode())
            if not _passes(item):
                return KILLED
        return SURVIVED

    def _exchange(self, mutant: Mutant) -> bool:
        """Puts the mutant's code into the living function, if there is one to be found."""
        module = sys.modules[mutant.module]
        function = _living(module, mutant.function)
        code = _code_of(self._compiled(mutant), mutant.function)
        if function is None or code is None or code.co_freevars != function.__code__.co_freevars:
            return False
        for name, helper in HELPERS.items():
            function.__globals__.setdefault(name, helper)
        function.__code__ = code
        _forget(self.target)
        return True

    def _compiled(self, mutant: Mutant) -> types.CodeType:
        tree = self.trees[mutant.module]
        mutant.site.put(mutant.replacement)
        return compile(ast.fix_missing_locations(tree), str(self.target.modules[mutant.module]), "exec")

    def _anew(self, mutant: Mutant, writing: int) -> int:
        """Imports the game with the fault in it, and collects its tests again."""
        for name in list(sys.modules):
            of_tests = name.startswith("tests.") and not name.startswith(("tests.mutants", "tests.conftest"))
            if name in self.target.family or of_tests:
                del sys.modules[name]
                package, _, last = name.rpartition(".")
                vars(sys.modules.get(package, types.ModuleType(package))).pop(last, None)
        path = self.target.modules[mutant.module]
        sys.meta_path.insert(0, _Finder(mutant.module, str(path), self._compiled(mutant)))
        signal.setitimer(signal.ITIMER_PROF, 20 + 2 * sum(known.seconds for known in self.known))
        _narrow(self.target.slug)
        collected = _Again(self, writing)
        pytest.main([*map(str, (*self.target.tests, *self.target.common)), *FLAGS], plugins=[collected, _Quiet()])
        return collected.status


class _Again:
    """The session in a fork that imported everything anew."""

    def __init__(self, outer: _Session, writing: int) -> None:
        self.outer, self.writing = outer, writing
        self.status = KILLED  # a module or a test that cannot even be loaded has noticed the fault

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        places = {item.nodeid: place for place, item in enumerate(self.outer.items)}
        self.found = [(places[item.nodeid], item) for item in items if item.nodeid in places]
        self.found.sort(key=lambda one: self.outer.known[one[0]].seconds)

    def pytest_runtestloop(self, session: Any) -> bool:
        if not session.testsfailed:
            self.status = self.outer._try(self.found, self.writing)
        return True


class _Finder:
    """Serves one module from code at hand."""

    def __init__(self, name: str, path: str, code: types.CodeType) -> None:
        self.name, self.path, self.code = name, path, code

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.name:
            return None
        package = [os.path.dirname(self.path)] if self.path.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=_Loader(name, self.path, self.code), submodule_search_locations=package
        )


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, code: types.CodeType) -> None:
        super().__init__(name, path)
        self.code = code

    def exec_module(self, module: types.ModuleType) -> None:
        vars(module).update(HELPERS)
        exec(self.code, vars(module))


def _forget(target: targets.Target) -> None:
    """What a game keeps in caches must not stand between a test and a fault."""
    for name in target.modules:
        for value in vars(sys.modules[name]).values():
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _passes(item: Any) -> bool:
    return not any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))


def _reaches(known: Known, path: str, span: range) -> bool:
    return known.lines is None or not known.lines[path].isdisjoint(span)


def _living(module: types.ModuleType, function: str) -> types.FunctionType | None:
    found: Any = module
    for part in function.split("."):
        found = vars(found).get(part) if isinstance(found, type) else getattr(found, part, None)
    if isinstance(found, property):
        found = found.fget
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    if isinstance(found, functools.cached_property):
        found = found.func
    if isinstance(found, functools._lru_cache_wrapper):
        found = found.__wrapped__
    return found if isinstance(found, types.FunctionType) else None


def _code_of(code: types.CodeType, function: str) -> types.CodeType | None:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_qualname == function:
                return constant
            if function.startswith(f"{constant.co_qualname}.") and (found := _code_of(constant, function)):
                return found
    return None
