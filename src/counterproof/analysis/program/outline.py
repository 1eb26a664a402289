"""The outline of a module: calls, assignments, comparisons and so on, each with its function, class and surrounding
conditions.

Built in one pass and cached, so that thirty rules do not walk the same tree thirty times.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar, cast

from counterproof.analysis.libraries import public_name
from counterproof.analysis.program.traversal import children
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk

N = TypeVar("N", bound=ir.Node)

KEPT = (
    ir.Assign,
    ir.Attribute,
    ir.Augment,
    ir.Binary,
    ir.Bind,
    ir.Call,
    ir.Compare,
    ir.Handler,
    ir.Loop,
    ir.Mapping,
    ir.Return,
    ir.Sequence,
    ir.Unary,
)
"""The kinds of node that have sites."""

_KEPT = frozenset[type[ir.Node]](KEPT)
_SURROUNDING = frozenset[type[ir.Node]]({ir.If, ir.Conditional, ir.Function, ir.Class})
"""Node kinds that form the context of the nodes inside them."""

MAX_SETTINGS = 200
"""Assignments kept per name; real code has only a few."""

MAX_ADDED = 8
"""Elements examined that one call adds to a list."""

MAX_DOTTED = 300
"""Limit on the characters of a variable's dotted name, so that a chain of variables does not grow quadratically."""

MAX_TESTS = 8
"""Conditions kept per level: the nearest branches of a long `elif` chain, so that its sites do not grow quadratically."""


class Site(NamedTuple, Generic[N]):
    """A node and its context. `tests` are the conditions under which it runs, outermost first."""

    node: N
    function: ir.Function | None
    owner: ir.Class | None
    tests: tuple[ir.Expr, ...] = ()

    @property
    def line(self) -> int:
        return self.node.line

    @property
    def end(self) -> int:
        return self.node.end

    @property
    def scope(self) -> str:
        """Qualified name of the enclosing function, '' outside a function."""
        return self.function.qualified if self.function else ""


Setting = Site[ir.Assign] | Site[ir.Augment] | Site[ir.Bind]


def is_default(site: Site[Any], name: str) -> bool:
    """`if name is None: name = "index"`: a given argument stays unchanged."""
    match site.tests[-1:]:
        case (ir.Not(operand=ir.Name(id=asked)),) | (
            ir.Compare(operators=("is",) | ("==",), operands=(ir.Name(id=asked), ir.Const(value=None))),
        ):
            return asked == name
        case _:
            return False


class Outline:
    """A module with its sites."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.path = module.path
        self._dotted: dict[int, str] = {}

    @cached_property
    def _laid_out(self) -> tuple[dict[type[ir.Node], tuple[Site[Any], ...]], tuple[ir.Const, ...]]:
        found: dict[type[ir.Node], list[Site[Any]]] = {kind: [] for kind in KEPT}
        texts: list[ir.Const] = []
        for site in _sites(self.module, texts):
            found[type(site.node)].append(site)
        return {kind: tuple(sites) for kind, sites in found.items()}, tuple(texts)

    @property
    def texts(self) -> tuple[ir.Const, ...]:
        """Every literal text, in source order."""
        return self._laid_out[1]

    def of(self, kind: type[N]) -> tuple[Site[N], ...]:
        """Every node of a kind, in source order."""
        return cast("tuple[Site[N], ...]", self._laid_out[0][kind])

    def values(self, *kinds: type[ir.Assign | ir.Augment | ir.Bind | ir.Return]) -> Iterator[tuple[Site[Any], ir.Expr]]:
        """The values that nodes of these kinds return or assign, kind by kind."""
        return ((site, site.node.value) for kind in kinds for site in self.of(kind) if site.node.value is not None)

    @cached_property
    def functions(self) -> dict[str, ir.Function]:
        """By qualified name; a later definition replaces an earlier one, as at run time."""
        return {function.qualified: function for function in self.module.functions}

    @cached_property
    def classes(self) -> dict[str, ir.Class]:
        return {each.qualified: each for each in self.module.classes}

    @cached_property
    def top_level(self) -> dict[str, ir.Assign]:
        """Names assigned outside functions and classes; the last assignment counts, before any None and any bare annotation."""
        found: dict[str, ir.Assign] = {}
        for each in (site.node for site in self.of(ir.Assign) if site.function is None and site.owner is None):
            for name in (target.id for target in each.targets if isinstance(target, ir.Name)):
                if name not in found or _certainty(each) >= _certainty(found[name]):
                    found.pop(name, None)  # names stay in the order of their values
                    found[name] = each
        return found

    @cached_property
    def reassigned(self) -> dict[int, tuple[ir.Expr, ...]]:
        """The other values that a module assigns to a name of `top_level`, by the id of the value there."""
        values: dict[str, list[ir.Expr]] = {}
        for site, value in self.values(ir.Assign):
            for target in site.node.targets if site.function is None and site.owner is None else ():
                if isinstance(target, ir.Name):
                    values.setdefault(target.id, []).append(value)
        return {id(self.top_level[name].value): tuple(each[:MAX_SETTINGS]) for name, each in values.items() if len(each) > 1}

    def local(self, function: ir.Function | None, name: str) -> ir.Assign | None:
        """The last plain assignment to a name inside a function."""
        return self._locals.get((function.qualified, name)) if function else None

    def visible(self, function: ir.Function | None, name: str) -> ir.Assign | None:
        """The same as a function sees it: including assignments of enclosing functions, unless a parameter shadows them."""
        while function is not None:
            found = self.local(function, name)
            if found is not None or any(each.name == name for each in function.parameters):
                return found
            function = self.functions.get(function.within)
        return None

    def behind(self, function: ir.Function | None, value: ir.Expr) -> ir.Expr:
        """A value or, for a variable of the function, the expression last assigned to it."""
        made = self.local(function, value.id) if isinstance(value, ir.Name) else None
        return made.value if made is not None and made.value is not None else value

    @cached_property
    def _locals(self) -> dict[tuple[str, str], ir.Assign]:
        return {
            (site.function.qualified, target.id): site.node
            for site in sorted(self.of(ir.Assign), key=lambda each: _certainty(each.node))
            if site.function
            for target in site.node.targets
            if isinstance(target, ir.Name)
        }

    def settings_of(self, name: str) -> tuple[Setting, ...]:
        """Assignments and additions to a variable or field of this name, anywhere in the module, in source order; bounded."""
        return self._set_by_name.get(name, ())

    @cached_property
    def _set_by_name(self) -> dict[str, tuple[Setting, ...]]:
        found: dict[str, list[Setting]] = {}
        for site in sorted((*self.of(ir.Assign), *self.of(ir.Augment), *self.of(ir.Bind)), key=lambda each: each.line):
            for target in site.node.targets if isinstance(site.node, ir.Assign) else (site.node.target,):
                name = last_name(target)
                kept = found.setdefault(name, [])
                if name and len(kept) < MAX_SETTINGS:
                    kept.append(site)
        return {name: tuple(sites) for name, sites in found.items()}

    def only_value(self, function: ir.Function | None, name: str) -> ir.Expr | None:
        """The value of a variable as a function sees it; None if it is assigned twice, a parameter, or not of this module."""
        while function is None or all(each.name != name for each in function.parameters):
            sites = [each for each in self.settings_of(name) if each.function is function and _binds(each.node, name)]
            values = [value for each in sites if (value := each.node.value) is not None and not _is_none(value)]
            if sites or function is None:
                return values[0] if len(values) == 1 else None
            function = self.functions.get(function.within)
        return None

    def calls_of(self, name: str) -> tuple[Site[ir.Call], ...]:
        """Calls of a function or method of this name, on any receiver."""
        return self._calls_by_name.get(name, ())

    @cached_property
    def _calls_by_name(self) -> dict[str, tuple[Site[ir.Call], ...]]:
        found: dict[str, list[Site[ir.Call]]] = {}
        for site in self.of(ir.Call):
            callee = site.node.callee
            name = last_name(callee)
            found.setdefault(name, []).append(site)
        return {name: tuple(sites) for name, sites in found.items()}

    def appended(self, function: ir.Function | None, name: str) -> tuple[ir.Expr, ...]:
        """The values that a function appends to a list of this name."""
        return self._appended.get((function.qualified if function else "", name), ())

    @cached_property
    def _appended(self) -> dict[tuple[str, str], tuple[ir.Expr, ...]]:
        found: dict[tuple[str, str], tuple[ir.Expr, ...]] = {}
        for site in (*self.calls_of("append"), *self.calls_of("push")):
            callee = site.node.callee
            if isinstance(callee, ir.Attribute) and isinstance(callee.value, ir.Name) and site.node.arguments:
                key = (site.scope, callee.value.id)
                if len(found.get(key, ())) < MAX_SETTINGS:
                    found[key] = (*found.get(key, ()), *(each.value for each in site.node.arguments[:MAX_ADDED]))
        return found

    def caught(self, function: ir.Function | None, name: str) -> tuple[Site[ir.Handler], ...]:
        """Handlers of a function that bind the error to this name."""
        return self._caught.get((function.qualified if function else "", name), ())

    @cached_property
    def _caught(self) -> dict[tuple[str, str], tuple[Site[ir.Handler], ...]]:
        found: dict[tuple[str, str], tuple[Site[ir.Handler], ...]] = {}
        for site in self.of(ir.Handler):
            key = (site.scope, site.node.name)
            if len(found.get(key, ())) < MAX_SETTINGS:
                found[key] = (*found.get(key, ()), site)
        return found

    def looped(self, function: ir.Function | None) -> frozenset[str]:
        """Loop variables of a function."""
        return self._looped.get(function.qualified if function else "", frozenset())

    @cached_property
    def _looped(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for site in self.of(ir.Loop):
            if site.node.target is not None:
                names = {each.id for each in walk(site.node.target) if isinstance(each, ir.Name)}
                found.setdefault(site.scope, set()).update(names)
        return {scope: frozenset(names) for scope, names in found.items()}

    def methods(self, owner: ir.Class) -> dict[str, ir.Function]:
        """The functions that a class defines itself."""
        return {each.name: each for each in owner.body if isinstance(each, ir.Function)}

    def attributes(self, owner: ir.Class) -> dict[str, ir.Expr]:
        """The assignments in a class body."""
        return {
            target.id: each.value
            for each in owner.body
            if isinstance(each, ir.Assign) and each.value is not None
            for target in each.targets
            if isinstance(target, ir.Name)
        }

    def dotted(self, expr: ir.Expr | None) -> str:
        """The import-resolved dotted name of an expression, as its package publishes it; '' if it is not a plain name."""
        kind = type(expr)
        if expr is None or (kind is not ir.Name and kind is not ir.Attribute):
            return ""
        known = self._dotted.get(id(expr))  # nodes live as long as their module, so their ids are not reused
        if known is None:
            known = self._dotted[id(expr)] = self._spelled_out(expr)
        return known

    def _spelled_out(self, expr: ir.Expr) -> str:
        parts: list[str] = []
        while isinstance(expr, ir.Attribute):
            parts.append(expr.name)
            expr = expr.value
        if not isinstance(expr, ir.Name):
            return ""
        parts.append(self._loaded.get(expr.id, expr.id))
        return public_name(".".join(reversed(parts)))

    @cached_property
    def _loaded(self) -> dict[str, str]:
        """JavaScript variables with a module, or with a member of one: `const { set } = require("lodash")`."""
        known = dict(self.module.imports)
        scripted = any(
            name.startswith("<") for name in known
        )  # placeholders such as for `require("lodash")` are not source names
        for name, each in self.top_level.items() if scripted else ():
            if 0 < len(loaded := _part_of(known, each.value)) <= MAX_DOTTED:
                known[name] = loaded
        return known


def _certainty(assigned: ir.Assign) -> int:
    """`app: Flask` states no value, and `app = None` that there is none yet or elsewhere."""
    return 0 if assigned.value is None else 1 if _is_none(assigned.value) else 2


def _is_none(value: ir.Expr) -> bool:
    return isinstance(value, ir.Const) and value.value is None


def _binds(node: ir.Assign | ir.Augment | ir.Bind, name: str) -> bool:
    targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
    return any(isinstance(each, ir.Name) and each.id == name for each in targets)


def _part_of(known: dict[str, str], value: ir.Expr | None) -> str:
    """The dotted name of a module or its member, '' for anything else; also for `await import("x")`."""
    parts: list[str] = []
    while isinstance(value, ir.Attribute | ir.Await):
        parts += [value.name] if isinstance(value, ir.Attribute) else []
        value = value.value
    home = known.get(value.id, "") if isinstance(value, ir.Name) else ""
    return ".".join((home, *reversed(parts))) if home else ""


_Frame = tuple[ir.Node, ir.Function | None, ir.Class | None, tuple[ir.Expr, ...]]
"""A node, its function and class, and the conditions under which it runs. Plain tuples, because there are millions."""


def _sites(module: ir.Module, texts: list[ir.Const]) -> Iterator[Site[Any]]:
    """Every node of a kept kind, in source order; literal texts go into `texts` meanwhile."""
    stack: list[_Frame] = [(node, None, None, ()) for node in reversed(module.body)]
    while stack:
        node, function, owner, tests = stack.pop()
        kind = type(node)
        if kind is ir.Const:
            if isinstance(node, ir.Const) and isinstance(node.value, str):
                texts.append(node)
            continue
        if kind in _KEPT:
            yield Site(node, function, owner, tests)
        if kind in _SURROUNDING:
            inside = _inside(node, function, owner, tests)
        else:  # names are a quarter of all nodes, without children and sites
            inside = [(each, function, owner, tests) for each in children(node) if type(each) is not ir.Name]
        inside.reverse()
        stack += inside


def _inside(node: ir.Node, function: ir.Function | None, owner: ir.Class | None, tests: tuple[ir.Expr, ...]) -> list[_Frame]:
    """The children of a node that is context for them."""
    if isinstance(node, ir.If):
        return _arms(node, function, owner, tests)
    if isinstance(node, ir.Conditional):
        decided = (*tests, node.test)
        after: list[_Frame] = [(each, function, owner, decided) for each in (node.then, node.other)]
        return [(node.test, function, owner, tests), *after]
    if isinstance(node, ir.Function):
        outside: list[_Frame] = [(each, function, owner, tests) for each in node.decorators]
        return outside + [(each, node, owner, ()) for each in children(node) if each not in node.decorators]
    if isinstance(node, ir.Class):
        owner = node
    return [(each, function, owner, tests) for each in children(node)]


def _arms(node: ir.If, function: ir.Function | None, owner: ir.Class | None, tests: tuple[ir.Expr, ...]) -> list[_Frame]:
    found: list[_Frame] = []
    own: tuple[ir.Expr, ...] = ()
    for branch in node.branches:
        found.append((branch.test, function, owner, tests))
        own = (*own, branch.test)[-MAX_TESTS:]
        found.extend((each, function, owner, tests + own) for each in branch.body)
    found.extend((each, function, owner, tests + own) for each in node.otherwise)
    return found
