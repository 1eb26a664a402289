"""Names of JavaScript programs as their scopes define them, and who calls a function.

Always holds: look-ups are by lexical scope and by name, bounded in number; several definitions are all given. Does not belong
here: what values mean.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from counterproof.analysis.kept import kept
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children, last_name, walk

MAX_CALLS = 24
"""Calls of one function that are followed."""

_ADDING = ("push", "unshift", "append", "add")


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """An expression and the function it stands in; None for the top of a file."""

    module: ir.Module
    function: ir.Function | None
    node: ir.Node


class Scopes:
    """All script modules of a project."""

    def __init__(self, project: Project) -> None:
        files = (file for language in SCRIPTS for file in project.of_language(language) if not file.test)
        self.modules = {file.path: project.module(file.path) for file in files}
        self._functions = {(path, each.qualified): each for path, module in self.modules.items() for each in module.functions}

    def around(self, path: str, line: int) -> ir.Function | None:
        """The innermost function around a line."""
        inside = [each for each in self.modules[path].functions if each.line <= line <= each.end]
        return max(inside, key=lambda each: (each.line, -each.end), default=None)

    def outer(self, module: ir.Module, function: ir.Function) -> ir.Function | None:
        return self._functions.get((module.path, function.within)) if function.within else None

    @kept
    def nodes(self, module: ir.Module, function: ir.Function | None) -> list[ir.Node]:
        """The nodes of a function, or of a file, without those of the functions inside; laid out once."""
        return _own_nodes(function.body if function is not None else module.body)

    def definitions(self, spot: Spot, name: str) -> tuple[list[Spot], ir.Function | None]:
        """What is assigned to a name in the nearest scope that knows it, or the function whose parameter it is."""
        function = spot.function
        while True:
            found = [Spot(spot.module, function, value) for value in self._values(spot.module, function).get(name, ())]
            if found:
                return found, None
            if function is None:
                return [], None
            if any(each.name == name for each in function.parameters):
                return [], function
            function = self.outer(spot.module, function)

    @kept
    def _values(self, module: ir.Module, function: ir.Function | None) -> dict[str, list[ir.Expr]]:
        values: dict[str, list[ir.Expr]] = {}
        for node in self.nodes(module, function):
            for target, value in _pairs(node):
                for name in _targets(target):
                    values.setdefault(name, []).append(value)
        for node in self.nodes(module, function):
            name, added = _added(node)
            if name in values:
                values[name] += added
        return values

    def names(self, module: ir.Module, function: ir.Function) -> frozenset[str]:
        """Every name under which a function may be called: its own, and those of the variables and fields it is put into."""
        aliases = self._aliases(module)
        own = {function.name, function.qualified.rpartition(".")[2]}
        return frozenset(own.union(*(aliases.get(name, set[str]()) for name in own)) - {"", "__init__"})

    @kept
    def _aliases(self, module: ir.Module) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for node in walk(*module.body):
            if isinstance(node, ir.Assign | ir.Bind) and isinstance(node.value, ir.Name):
                targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
                found.setdefault(node.value.id, set()).update(last_name(each) for each in targets)
        return found

    def functions(self, module: ir.Module, name: str) -> list[ir.Function]:
        """Functions of a file that a call of this name may mean."""
        return self._named(module).get(name, [])[:MAX_CALLS]

    @kept
    def _named(self, module: ir.Module) -> dict[str, list[ir.Function]]:
        found: dict[str, list[ir.Function]] = {}
        for each in module.functions:
            for known in self.names(module, each):
                found.setdefault(known, []).append(each)
        return found

    def calls(self, names: frozenset[str]) -> list[Spot]:
        """Calls of something of these names."""
        return [each for name in sorted(names) for each in self._called[0].get(name, ())][:MAX_CALLS]

    def handed_over(self, names: frozenset[str]) -> list[Spot]:
        """Calls that are given something of these names."""
        return [each for name in sorted(names) for each in self._called[1].get(name, ())][:MAX_CALLS]

    @cached_property
    def _called(self) -> tuple[dict[str, list[Spot]], dict[str, list[Spot]]]:
        """All calls, by the name of what is called, and by the names of what it is given."""
        calls: dict[str, list[Spot]] = {}
        handed: dict[str, list[Spot]] = {}
        for module in self.modules.values():
            for function in (None, *module.functions):
                for node in self.nodes(module, function):
                    if isinstance(node, ir.Call):
                        calls.setdefault(last_name(node.callee), []).append(Spot(module, function, node))
                        for each in node.arguments:
                            handed.setdefault(last_name(each.value), []).append(Spot(module, function, node))
        return calls, handed


@lru_cache(maxsize=4)
def scopes_of(project: Project) -> Scopes:
    """The scopes of a project, laid out once."""
    return Scopes(project)


def _own_nodes(body: tuple[ir.Statement, ...]) -> list[ir.Node]:
    """The nodes of a body without those of the functions and classes defined in it."""
    found: list[ir.Node] = []
    stack: list[ir.Node] = list(reversed(body))
    while stack:
        node = stack.pop()
        if isinstance(node, ir.Function):
            continue
        found.append(node)
        stack.extend(reversed(children(node)))
    return found


def _pairs(node: ir.Node) -> list[tuple[ir.Expr, ir.Expr]]:
    """Targets and values of an assignment or a loop."""
    if isinstance(node, ir.Assign):
        return [(target, node.value) for target in node.targets] if node.value is not None else []
    if isinstance(node, ir.Bind):
        return [(node.target, node.value)]
    if isinstance(node, ir.Loop) and node.target is not None and node.iterable is not None:
        return [(node.target, node.iterable)]
    return []


def _added(node: ir.Node) -> tuple[str, list[ir.Expr]]:
    """`parts.push(text)`: the variable, and what a list gets."""
    callee = node.callee if isinstance(node, ir.Call) else None
    if not isinstance(node, ir.Call) or not isinstance(callee, ir.Attribute) or callee.name not in _ADDING:
        return "", []
    name = callee.value.id if isinstance(callee.value, ir.Name) else ""
    return name, [each.value for each in node.arguments]


def _targets(target: ir.Expr) -> list[str]:
    if isinstance(target, ir.Sequence):
        return [name for each in target.items for name in _targets(each)]
    return [target.id] if isinstance(target, ir.Name) else []
