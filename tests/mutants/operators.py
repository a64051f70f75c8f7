"""Small faults to put into a module, one at a time: what a slip of the pen could have made of it.

A mutant is one node of the module's syntax tree with another node to stand in its place. Texts, annotations and
docstrings are left alone: a fault there breaks no rule.
"""

from __future__ import annotations

import ast
import inspect
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from domain import game

LONGEST_CONTEXT = 100  # of the expression that is shown around a fault
SLY_PER_FUNCTION = 4  # in each circumstance
MOST_PER_TABLE = 24  # faults in one table of constants; a large table has thousands, all alike
TEXTS = frozenset({"summary", "title", "text", "version", "slug"})  # keywords whose values no rule rests on
FORMATS = frozenset({"exports"})  # the same match as a text for other programs

COMPARISONS: Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Audiences widened or narrowed; the new names are given to a mutated module by `HELPERS`.
AUDIENCES = {"hidden": "told_to_all", "shown": "told_to_nobody", "each_its_own": "each_told_to_all"}
HELPERS: dict[str, Any] = {
    "told_to_all": game.shown,
    "told_to_nobody": game.hidden,
    "each_told_to_all": lambda values: tuple(game.shown(value) for value in values),
}
VAGUE = frozenset({"Any", str(inspect.Parameter.empty)})
COMMUTATIVE = frozenset({"plus", "min", "max"})
ORDERINGS = frozenset({"sorted", "reversed", "abs", "in_order", "grouped"})  # what they return is like what they get


class Site(NamedTuple):
    """Where a node hangs in the tree."""

    parent: ast.AST
    field: str
    at: int | None  # the place in it, where the field is a list

    def put(self, node: Any) -> None:
        if self.at is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.at] = node


class Mutant(NamedTuple):
    module: str
    function: str  # its qualified name; empty for what stands outside all functions
    line: int
    span: range  # the lines of which one is run whenever the fault can matter
    before: str
    after: str
    repeat: int  # which of several faults in this function that read the same
    in_body: bool  # whether it lies in the body of a function, so that exchanging the body is enough
    site: Site
    original: Any
    replacement: Any
    sly: bool = False  # whether the fault shows in some circumstances only

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What tells a mutant apart however the lines of its file move."""
        return self.module, self.function, self.before, self.after, self.repeat


def mutants_of(module: str, tree: ast.Module, namespace: Mapping[str, Any], seats: Sequence[int] = ()) -> list[Mutant]:
    """Every fault for this module, in the order of the file: first the plain ones, then the sly.

    The namespace tells which arguments are of like type, and `seats` which tables there are."""
    walk = _Walk(module, tree, namespace)
    found = [mutant for node in walk.nodes for mutant in walk.mutants(node)]
    return _numbered([*_without_floods(found), *walk.sly(found, seats)])


def _numbered(mutants: list[Mutant]) -> list[Mutant]:
    seen: Counter[Any] = Counter()
    numbered = []
    for mutant in mutants:
        seen[mutant.key] += 1
        numbered.append(mutant._replace(repeat=seen[mutant.key]))
    return numbered


def _told(module: str) -> str:
    """A name for choices by lot that stays the same wherever in a game's folder the code lies: what was found about its
    mutants holds on."""
    parts = module.split(".")
    if parts[:2] != ["domain", "games"] or len(parts) < 4:
        return module
    return ".".join(parts[:3]) if parts[3] in ("game", "view") else f"domain.kit.{parts[3]}"


def _without_floods(mutants: list[Mutant]) -> list[Mutant]:
    """A table of constants keeps a few of its faults, always the same ones."""
    groups: dict[tuple[str, range], list[Mutant]] = {}
    for mutant in mutants:
        groups.setdefault((mutant.function, mutant.span) if not mutant.function else ("", range(0)), []).append(mutant)
    kept: set[int] = set()
    for (_, span), group in groups.items():
        if span and len(group) > MOST_PER_TABLE:
            group = random.Random(f"{_told(group[0].module)} {group[0].before}").sample(group, MOST_PER_TABLE)
        kept.update(map(id, group))
    return [mutant for mutant in mutants if id(mutant) in kept]


class Dropped(NamedTuple):
    """A piece of a longer whole that the fault leaves out."""

    text: str
    line: int


Change = tuple[Site, Any, Dropped | None]  # where, what stands there instead, and what was dropped if that is the fault


class _Walk:
    """One pass over a module: its nodes that may be changed, with what is around each."""

    def __init__(self, module: str, tree: ast.Module, namespace: Mapping[str, Any]) -> None:
        self.module, self.namespace = module, namespace
        self.sites: dict[ast.AST, Site] = {}
        self.nodes: list[ast.AST] = []
        self.functions: dict[ast.AST, tuple[str, bool]] = {}
        self._visit(tree, "", False)

    def _visit(self, node: ast.AST, function: str, in_body: bool) -> None:
        for field, value in ast.iter_fields(node):
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(child, ast.AST) or _left_alone(node, field, child):
                    continue
                name, inside = function, in_body
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not in_body:
                    inside = field == "body"
                elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not in_body:
                    name = f"{function}.{child.name}" if function else child.name
                self.sites[child] = Site(node, field, index)
                self.functions[child] = name, inside
                self.nodes.append(child)
                self._visit(child, name, inside)

    # ── From a change to a mutant ───────────────────────────────────────────────────────────────────────────────

    def mutants(self, node: ast.AST) -> Iterator[Mutant]:
        function, in_body = self.functions[node]
        span = self._span(node)
        for site, replacement, dropped in self.changes(node):
            current = getattr(site.parent, site.field)
            original = current if site.at is None else current[site.at]
            around = self._context(node)
            before = dropped.text if dropped else _text(around)
            line = dropped.line if dropped else getattr(node, "lineno", span.start)
            site.put(replacement)
            # The context may be the very node that was exchanged.
            after = "(dropped)" if dropped else _text(replacement if around is original else around)
            site.put(original)
            if before == after:
                continue
            yield Mutant(
                self.module, function, line, span, before, after, 1, in_body, site, original, replacement
            )  # fmt: skip

    def _context(self, node: ast.AST) -> ast.AST:
        """The largest piece of code around the node that can be read at a glance."""
        while True:
            parent = self.sites[node].parent
            if parent not in self.sites or isinstance(parent, ast.FunctionDef | ast.ClassDef | ast.Match):
                return node
            if isinstance(node, ast.stmt | ast.match_case) or len(_text(parent)) > LONGEST_CONTEXT:
                return node
            node = parent

    def _span(self, node: ast.AST) -> range:
        while not isinstance(node, ast.stmt | ast.match_case):
            node = self.sites[node].parent
        if isinstance(node, ast.match_case):
            last = node.guard or node.pattern
            return range(node.pattern.lineno, (last.end_lineno or last.lineno) + 1)
        body = getattr(node, "body", None)
        end = body[0].lineno if body and not isinstance(node, ast.FunctionDef) else (node.end_lineno or node.lineno) + 1
        return range(node.lineno, max(end, node.lineno + 1))

    def sly(self, plain: Sequence[Mutant], seats: Sequence[int]) -> Iterator[Mutant]:
        """Some of the faults again, each in one circumstance only: at tables of some size, in later hands, for the
        last seat. A test that looks at one table and one hand does not find them."""
        by_function: dict[str, list[Mutant]] = {}
        for mutant in plain:
            if mutant.in_body and isinstance(mutant.original, ast.expr) and isinstance(mutant.replacement, ast.expr):
                by_function.setdefault(mutant.function, []).append(mutant)
        for function, group in by_function.items():
            rng = random.Random(f"{_told(self.module)} {function}")
            for when in self._circumstances(function):
                for mutant in rng.sample(group, min(SLY_PER_FUNCTION, len(group))):
                    text = when.format(k=rng.choice(seats[1:])) if "{k}" in when and seats[1:] else when
                    if "{k}" not in text:
                        yield self._only_if(mutant, text)

    def _circumstances(self, function: str) -> list[str]:
        """Questions that can be asked in this function about the table `s` and the seat."""
        called = _function(self.namespace, function)
        kinds = {name: str(p.annotation) for name, p in inspect.signature(called).parameters.items()} if called else {}
        fields = getattr(self.namespace.get("Table"), "_fields", ())
        if kinds.get("s") != "Table":
            return []
        later = next((f"s.{name} > 1" for name in ("hand_no", "game_no", "inning") if name in fields), "")
        if not later and "results" in fields:
            later = "len(s.results) > 0"
        last = "seat == s.seats - 1" if "seat" in kinds else ""
        return [text for text in ("s.seats == {k}", later, last) if text]

    def _only_if(self, mutant: Mutant, circumstance: str) -> Mutant:
        when = ast.parse(circumstance, mode="eval").body
        both = ast.IfExp(when, mutant.replacement, mutant.original)
        return mutant._replace(replacement=both, after=f"{mutant.after}  when {circumstance}", sly=True)

    # ── The faults ──────────────────────────────────────────────────────────────────────────────────────────────

    def changes(self, node: ast.AST) -> Iterator[Change]:
        site = self.sites[node]
        match node:
            case ast.Compare():
                for place, op in enumerate(node.ops):
                    for other in COMPARISONS[type(op)]:
                        ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                        yield site, ast.Compare(node.left, ops, node.comparators), None
                    against = node.comparators[place]
                    if isinstance(op, ast.In | ast.NotIn) and isinstance(against, ast.Tuple):
                        yield from self._without_elements(against)
            case ast.BinOp() if not _is_type(node):
                yield site, ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right), None
                if isinstance(node.op, ast.Add):
                    for kept, dropped in ((node.left, node.right), (node.right, node.left)):
                        if _is_sequence(kept) or _is_sequence(dropped):
                            yield site, kept, None
            case ast.AugAssign():
                yield site, ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value), None
                yield site, ast.Pass(), Dropped(ast.unparse(node), node.lineno)
            case ast.BoolOp():
                swapped = ast.Or() if isinstance(node.op, ast.And) else ast.And()
                yield site, ast.BoolOp(swapped, node.values), None
                for place in range(len(node.values)):
                    rest = [*node.values[:place], *node.values[place + 1 :]]
                    yield site, rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest), None
            case ast.UnaryOp():
                yield site, node.operand, None
            case ast.IfExp():
                yield site, node.body, None
                yield site, node.orelse, None
            case ast.If():
                test = Site(node, "test", None)
                yield test, ast.Constant(False), None
                if not isinstance(node.test, ast.Compare):
                    yield test, ast.Constant(True), None
            case ast.While():
                yield Site(node, "test", None), ast.Constant(False), None
            case ast.For():
                yield Site(node, "iter", None), ast.Tuple([], ast.Load()), None
            case ast.comprehension():
                for place in range(len(node.ifs)):
                    yield Site(node, "ifs", place), ast.Constant(True), None
            case ast.match_case() if node.guard is not None:
                yield Site(node, "guard", None), ast.Constant(True), None
                yield Site(node, "guard", None), ast.Constant(False), None
            case ast.Expr() if isinstance(node.value, ast.Call):
                yield site, ast.Pass(), Dropped(ast.unparse(node), node.lineno)
            case ast.Raise() | ast.Break() | ast.Continue():
                yield site, ast.Pass(), Dropped(ast.unparse(node), node.lineno)
            case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant) and self._returns_bool(node):
                yield Site(node, "value", None), ast.UnaryOp(ast.Not(), value), None
            case ast.Constant():
                for value in _neighbours(node.value):
                    yield site, ast.Constant(value), None
            case ast.List() | ast.Set():
                yield from self._without_elements(node)
            case ast.Tuple() if isinstance(node.ctx, ast.Load) and self._is_loose(node):
                yield from self._without_elements(node)
            case ast.Dict():
                yield from self._without_keys(node)
            case ast.Slice():
                yield from self._shifted_slice(node)
            case ast.Call():
                yield from self._calls(node, site)

    def _without_elements(self, node: Any) -> Iterator[Change]:
        for place, element in enumerate(node.elts):
            rest = [*node.elts[:place], *node.elts[place + 1 :]]
            made = type(node)(elts=rest) if isinstance(node, ast.Set) else type(node)(rest, ast.Load())
            if rest or not isinstance(node, ast.Set):
                long = len(ast.unparse(node)) > LONGEST_CONTEXT
                dropped = Dropped(f"{ast.unparse(element)},", element.lineno)
                yield self.sites[node], made, dropped if long else None

    def _without_keys(self, node: ast.Dict) -> Iterator[Change]:
        for place, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            keys, values = ([*part[:place], *part[place + 1 :]] for part in (node.keys, node.values))
            text = f"**{ast.unparse(value)}" if key is None else f"{ast.unparse(key)}: {ast.unparse(value)}"
            yield self.sites[node], ast.Dict(keys, values), Dropped(text, (key or value).lineno)

    def _shifted_slice(self, node: ast.Slice) -> Iterator[Change]:
        for field, missing in (("lower", 1), ("upper", -1)):
            bound = getattr(node, field)
            if bound is None:
                yield Site(node, field, None), ast.Constant(missing), None
            elif not isinstance(bound, ast.Constant):
                yield Site(node, field, None), ast.BinOp(bound, ast.Add(), ast.Constant(1)), None

    def _calls(self, node: ast.Call, site: Site) -> Iterator[Change]:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in OPPOSITES and isinstance(node.func, ast.Name):
            yield Site(node, "func", None), ast.Name(OPPOSITES[name], ast.Load()), None
        if name == "range" and node.args:
            last = Site(node, "args", min(len(node.args), 2) - 1)
            bound = node.args[last.at or 0]
            if not isinstance(bound, ast.Constant):
                yield last, ast.BinOp(bound, ast.Sub(), ast.Constant(1)), None
        yield from self._audiences(node, name, site)
        parameters, returns = self._signature(node.func)
        for place, keyword in enumerate(node.keywords):
            if keyword.arg is None or keyword.arg in TEXTS:
                continue
            optional = keyword.arg in parameters and parameters[keyword.arg].default is not inspect.Parameter.empty
            if name == "_replace" or optional or name in {"sorted", "max", "min", "enumerate"}:
                rest = [*node.keywords[:place], *node.keywords[place + 1 :]]
                dropped = Dropped(f"{name}({keyword.arg}={ast.unparse(keyword.value)})", keyword.value.lineno)
                yield site, ast.Call(node.func, node.args, rest), dropped
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            return
        kinds = [str(parameter.annotation) for parameter in parameters.values()][: len(node.args)]
        for first in range(len(kinds)):
            second = next((n for n in range(first + 1, len(kinds)) if kinds[n] == kinds[first]), None)
            if (
                second is not None
                and name not in COMMUTATIVE
                and ast.unparse(node.args[first]) != ast.unparse(node.args[second])
            ):
                swapped = list(node.args)
                swapped[first], swapped[second] = swapped[second], swapped[first]
                yield site, ast.Call(node.func, swapped, node.keywords), None
        if node.args and (name in ORDERINGS or (kinds and kinds[0] == returns and returns not in VAGUE)):
            yield site, node.args[0], None

    def _audiences(self, node: ast.Call, name: str, site: Site) -> Iterator[Change]:
        """Secrets told to all, or to nobody."""
        if name in AUDIENCES:
            yield Site(node, "func", None), ast.Name(AUDIENCES[name], ast.Load()), None
        elif name == "Secret" and len(node.args) == 2:
            to = node.args[1]
            if not (isinstance(to, ast.Constant) and to.value is None):
                yield Site(node, "args", 1), ast.Constant(None), None
            if not (isinstance(to, ast.Tuple) and not to.elts):
                yield Site(node, "args", 1), ast.Tuple([], ast.Load()), None

    # ── What the code around a node says about it ───────────────────────────────────────────────────────────────

    def _signature(self, func: ast.expr) -> tuple[dict[str, inspect.Parameter], str]:
        called: Any = None
        if isinstance(func, ast.Name):
            called = self.namespace.get(func.id)
        elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            called = getattr(self.namespace.get(func.value.id), func.attr, None)
        if called is None or not callable(called):
            return {}, ""
        try:
            signature = inspect.signature(called)
        except (TypeError, ValueError):
            return {}, ""
        return dict(signature.parameters), "" if isinstance(called, type) else str(signature.return_annotation)

    def _returns_bool(self, node: ast.AST) -> bool:
        while not isinstance(node, ast.FunctionDef | ast.Lambda | ast.Module):
            node = self.sites[node].parent
        return isinstance(node, ast.FunctionDef) and node.returns is not None and ast.unparse(node.returns) == "bool"

    def _is_loose(self, node: ast.Tuple) -> bool:
        """Whether the tuple's length is free: with a starred part, or a table of constants."""
        return any(isinstance(e, ast.Starred) for e in node.elts) or (
            not self.functions[node][0] and len(node.elts) > 1
        )


def _function(namespace: Mapping[str, Any], name: str) -> Any:
    found = namespace.get(name)
    return found if inspect.isfunction(found) else None


def _left_alone(parent: ast.AST, field: str, child: ast.AST) -> bool:
    """Annotations, texts, type aliases, assertions, and code that is never reached."""
    if field in {"annotation", "returns", "decorator_list", "targets", "target", "ctx", "type_params"}:
        return True
    if isinstance(child, ast.Assert | ast.Import | ast.ImportFrom | ast.alias):
        return True
    if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
        return True
    if isinstance(child, ast.Assign) and isinstance(parent, ast.Module) and _is_type(child.value):
        return True
    if isinstance(child, ast.keyword) and child.arg in TEXTS | FORMATS:
        return True
    if isinstance(parent, ast.JoinedStr) and isinstance(child, ast.Constant):
        return True
    if isinstance(parent, ast.Dict) and field == "keys" and isinstance(child, ast.Constant):
        return True  # a key is dropped as a whole
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name):
        if parent.func.id in {"assert_never", "TypeVar", "isinstance", "TypedDict", "cast"}:
            return field == "func" or child is not parent.args[0]
        if parent.func.id == "Template" and field == "args":
            return child is parent.args[1]
    return isinstance(child, ast.Expr) and "assert_never" in ast.unparse(child)


def _is_type(node: ast.AST) -> bool:
    """An alias such as `Event = Dealt | Played`, not a sum of sets."""
    match node:
        case ast.BinOp(ast.expr() as left, ast.BitOr(), ast.expr() as right):
            return _is_type(left) and _is_type(right)
        case ast.Name(name):
            return (name[:1].isupper() and not name.isupper()) or name in {"int", "str", "bool", "tuple"}
        case ast.Subscript(ast.Name(name)):
            return name in {"tuple", "dict", "list", "frozenset", "Literal", "Sequence", "Mapping", "Callable"}
        case ast.Constant(None):
            return True
    return False


def _is_sequence(node: ast.AST) -> bool:
    return isinstance(node, ast.Tuple | ast.List | ast.ListComp) or (
        isinstance(node, ast.IfExp) and (_is_sequence(node.body) or _is_sequence(node.orelse))
    )


def _neighbours(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return value + 1, value - 1
    # A word is a name or the id of a rule; a sentence is a text.
    if isinstance(value, str) and value and " " not in value:
        return (f"{value}~",)
    return ()


def _text(node: ast.AST) -> str:
    """Code as it is shown and remembered: of a statement with a body only the head."""
    match node:
        case ast.If():
            return f"if {ast.unparse(node.test)}:"
        case ast.While():
            return f"while {ast.unparse(node.test)}:"
        case ast.For():
            return f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}:"
        case ast.match_case():
            guard = f" if {ast.unparse(node.guard)}" if node.guard else ""
            return f"case {ast.unparse(node.pattern)}{guard}:"
        case ast.comprehension():
            return ast.unparse(node).strip()
        case ast.Slice():
            return ast.unparse(node)
    return ast.unparse(node)
