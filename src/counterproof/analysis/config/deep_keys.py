"""Functions of scripts that write deep into an object along keys that someone else chose.

Always holds: a function is looked at together with the nameless functions inside it, which it hands to `forEach`, `reduce` and
the like; keys that only count are no names. Does not belong here: who chose the keys.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children, walk

_NAMES = frozenset({"__proto__", "constructor", "prototype"})
_OWN = frozenset(
    {"has_key", "hasOwnProperty", "hasOwn", "propertyIsEnumerable", "has", "own", "hasOwnProp", "getOwnPropertyDescriptor"}
)
_KEYS = frozenset({"keys", "getOwnPropertyNames", "ownKeys"})
_WARY = ("proto", "pollut", "unsafe", "safekey", "dangerous", "forbidden")
_NUMBERED = ("index", "idx")
_FUNCTIONS = re.compile(r"""["']function["']""")
MAX_NODES = 20_000


@dataclass(slots=True)
class Write:
    """`holder[key] = value`."""

    holder: str
    node: ir.Node
    fresh: bool


class Scripted:
    """The functions of one module, by name. `text` serves for what the form leaves out: comparisons of types."""

    def __init__(self, module: ir.Module, text: str) -> None:
        self.module = module
        self.lines = text.split("\n")
        self.units = [Unit(self, function) for function in module.functions if not _is_nameless(function)]
        self.by_name: dict[str, Unit] = {}
        self.by_qualified = {unit.function.qualified: unit for unit in self.units}
        for unit in self.units:
            self.by_name.setdefault(unit.name, unit)

    @cached_property
    def constants(self) -> dict[str, frozenset[str]]:
        """Texts inside the values that the module's own variables hold."""
        found: dict[str, frozenset[str]] = {}
        for each in self.module.body:
            if isinstance(each, ir.Assign) and each.value is not None and not isinstance(each.value, ir.Name):
                texts = _texts(walk(each.value))
                found |= {target.id: texts for target in each.targets if isinstance(target, ir.Name)}
        return found

    def deep_writes(self) -> Iterator[tuple["Unit", ir.Node]]:
        """Each function that writes deeply and carelessly, with the assignment that does it."""
        for unit in self.units:
            found = unit.deep_write()
            if found is not None:
                yield unit, found


class Unit:
    """A function and the nameless functions inside it, as one piece of code."""

    def __init__(self, around: Scripted, function: ir.Function) -> None:
        self.around = around
        self.function = function
        self.name = function.qualified.rpartition(".")[2]

    @cached_property
    def tests(self) -> list[tuple[ir.Node, tuple[ir.Expr, ...]]]:
        """Every node with the conditions around it, in source order."""
        found: list[tuple[ir.Node, tuple[ir.Expr, ...]]] = []
        pending: list[tuple[ir.Node, tuple[ir.Expr, ...]]] = [(node, ()) for node in reversed(self.function.body)]
        while pending and len(found) < MAX_NODES:
            node, tests = pending.pop()
            if isinstance(node, ir.Function | ir.Class) and not (isinstance(node, ir.Function) and _is_nameless(node)):
                continue
            found.append((node, tests))
            pending.extend(reversed(_inside(node, tests)))
        return found

    @cached_property
    def nodes(self) -> list[ir.Node]:
        return [node for node, _ in self.tests]

    @cached_property
    def counters(self) -> frozenset[str]:
        found: set[str] = set()
        for node in self.nodes:
            moved = node.operand if isinstance(node, ir.Unary) else node.target if isinstance(node, ir.Augment) else None
            if isinstance(moved, ir.Name):
                found.add(moved.id)
        return frozenset(found)

    @cached_property
    def writes(self) -> list[Write]:
        found: list[Write] = []
        for node in self.nodes:
            if isinstance(node, ir.Assign | ir.Bind):
                targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
                fresh = isinstance(node.value, ir.Mapping | ir.Sequence) or _is_default(node.value)
                found += [
                    Write(each.value.id, node, fresh)
                    for each in targets
                    if isinstance(each, ir.Index)
                    and isinstance(each.value, ir.Name)
                    and self.is_name(each.key)
                    and not (isinstance(each.key, ir.Name) and (each.key.id, each.value.id) in self.own_keys)
                ]
        return found

    @cached_property
    def own_keys(self) -> frozenset[tuple[str, str]]:
        """Keys with the object that they were taken from: whoever walks over an object's own keys brings none of others."""
        lists = {
            target.id: _listed(node.value)
            for node in self.nodes
            if isinstance(node, ir.Assign) and node.value is not None
            for target in node.targets
            if isinstance(target, ir.Name)
        }
        found: set[tuple[str, str]] = set()
        for node in self.nodes:
            if isinstance(node, ir.Loop) and isinstance(node.target, ir.Name) and node.iterable is not None:
                over = node.iterable
                found.add((node.target.id, _listed(over) or (lists.get(over.id) or over.id if isinstance(over, ir.Name) else "")))
        return frozenset(found)

    @cached_property
    def called(self) -> frozenset[str]:
        return frozenset(_last(node.callee) for node in self.nodes if isinstance(node, ir.Call))

    @cached_property
    def mentioned(self) -> frozenset[str]:
        return frozenset(node.id for node in self.nodes if isinstance(node, ir.Name))

    def is_name(self, key: ir.Expr) -> bool:
        """Whether a key can be a text from elsewhere: neither a literal nor a number that counts."""
        if isinstance(key, ir.Name):
            return key.id not in self.counters and not any(part in key.id.lower() for part in _NUMBERED)
        return isinstance(key, ir.Index | ir.Attribute | ir.Call)

    def deep_write(self) -> ir.Node | None:
        holders = {each.holder for each in self.writes}
        deeper = [*self._calls_itself(holders), *self._steps(holders)] if holders else []
        if deeper and not self._is_careful and not all(self._owned(holder, tests) for holder, tests in deeper):
            named = {holder for holder, _ in deeper}
            chosen = [each for each in self.writes if each.holder in named]
            final = next((each.node for each in chosen if not each.fresh), None)
            return final or (chosen[0].node if chosen and self._hands_on(named) else None)
        reduced = self._reduced()
        return None if reduced is None or self._is_careful else reduced

    def _calls_itself(self, holders: set[str]) -> Iterator[tuple[str, tuple[ir.Expr, ...]]]:
        """`f(target[key], …)` inside `f`, or inside a function that `f` calls, for objects that are written to."""
        own = {part for part in self.function.qualified.split(".") if not part.startswith("function at")} | {self.function.name}
        entries = self._entries()
        for node, tests in self.tests:
            if isinstance(node, ir.Call) and (_last(node.callee) in own or self._comes_back(_last(node.callee))):
                for position, argument in enumerate(node.arguments):
                    holder = _entered(argument.value, entries, self)
                    if holder not in holders or self._is_made_anew(holder):
                        continue
                    if _last(node.callee) != self.name or self._is_passed_on(holder, position):
                        yield holder, tests

    def made(self, name: str) -> list[ir.Expr | None]:
        """What is assigned to a variable here."""
        return [
            node.value
            for node in self.nodes
            if isinstance(node, ir.Assign) and any(isinstance(each, ir.Name) and each.id == name for each in node.targets)
        ]

    def _is_made_anew(self, name: str) -> bool:
        """Whether each call writes into an object of its own, so that what it was given stays as it is."""
        unit: Unit | None = self
        while unit is not None:
            if any(each.name == name for each in unit.function.parameters):
                return False
            if made := unit.made(name):
                return all(isinstance(each, ir.Mapping | ir.Sequence) for each in made)
            unit = self.around.by_qualified.get(unit.function.within)
        return False

    def _is_passed_on(self, holder: str, position: int) -> bool:
        """Whether the next call writes into what it gets at this position, as this one does."""
        given = [each.name for each in self.function.parameters if each.name != "this"]
        if position < len(given) and holder == given[position]:
            return True
        if position >= len(given):
            return True
        made = self.made(holder)
        taken = {given[position], "arguments"}
        return any(
            value is not None
            and not isinstance(value, ir.Attribute)
            and any(isinstance(each, ir.Name) and each.id in taken for each in walk(value))
            for value in made
        )

    def _comes_back(self, name: str) -> bool:
        other = self.around.by_name.get(name)
        return other is not None and other is not self and self.name in other.mentioned

    def _entries(self) -> dict[str, str]:
        """`value = object[key]`: variables that hold what lies one step deeper, with the object."""
        found: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, ir.Assign) and node.value is not None:
                holder = _entered(node.value, {}, self)
                if holder:
                    found |= {target.id: holder for target in node.targets if isinstance(target, ir.Name)}
        return found

    def _steps(self, holders: set[str]) -> Iterator[tuple[str, tuple[ir.Expr, ...]]]:
        """`object = object[key]`, in a loop or for each part of a path."""
        for node, tests in self.tests:
            if isinstance(node, ir.Assign) and node.value is not None:
                entered = {_entered(node.value, {}, self)}
                entered |= {
                    each.value.id for each in node.targets if isinstance(each, ir.Index) and isinstance(each.value, ir.Name)
                }
                for target in node.targets:
                    if isinstance(target, ir.Name) and target.id in entered and target.id in holders:
                        yield target.id, tests

    def _reduced(self) -> ir.Node | None:
        """`keys.reduce((object, key) => object[key], target)[last] = value`."""
        for node in self.nodes:
            if isinstance(node, ir.Assign | ir.Bind):
                for each in node.targets if isinstance(node, ir.Assign) else (node.target,):
                    if isinstance(each, ir.Index) and isinstance(each.value, ir.Call) and _last(each.value.callee) == "reduce":
                        return node if self.is_name(each.key) else None
        return None

    def _hands_on(self, holders: set[str]) -> bool:
        """Whether the object found is given to another function together with a key, which then writes."""
        return any(
            isinstance(node, ir.Call)
            and len(node.arguments) > 2
            and isinstance(node.arguments[0].value, ir.Name)
            and node.arguments[0].value.id in holders
            for node in self.nodes
        )

    @cached_property
    def _is_careful(self) -> bool:
        """Whether names that lead to a prototype are left out, here or in a function or constant that is asked."""
        asked = [unit for name in sorted(self.called) if (unit := self.around.by_name.get(name)) is not None]
        texts = _texts(self.nodes).union(*(_texts(unit.nodes) for unit in asked))
        texts = texts.union(*(self.around.constants.get(name, frozenset()) for name in self.mentioned))
        if any(part in name.lower() for name in self.called for part in _WARY) or "create" in self.called:
            return True
        found = {name for name in _NAMES for text in texts if name in text}
        return (
            found >= {"__proto__", "constructor"}
            or found >= {"__proto__", "prototype"}
            or ("__proto__" in found and not any(unit.enters_functions for unit in (self, *asked)))
        )

    @property
    def enters_functions(self) -> bool:
        """`constructor` leads on only where functions count as objects."""
        said = self.around.lines[self.function.line - 1 : self.function.end]
        return any(_FUNCTIONS.search(line) for line in said) or any(
            "extendable" in module for module in self.around.module.imports.values()
        )

    def _owned(self, holder: str, tests: tuple[ir.Expr, ...]) -> bool:
        """Whether it only goes deeper where the object itself, not its prototype, has the key."""
        return any(_asks_own(node, holder) for test in (*tests, *self._leaving) for node in walk(test))

    @cached_property
    def _leaving(self) -> tuple[ir.Expr, ...]:
        """Conditions under which the rest is skipped."""
        return tuple(
            branch.test
            for node in self.nodes
            if isinstance(node, ir.If)
            for branch in node.branches
            if branch.body and isinstance(branch.body[-1], ir.Jump | ir.Return | ir.Raise)
        )


def _inside(node: ir.Node, tests: tuple[ir.Expr, ...]) -> list[tuple[ir.Node, tuple[ir.Expr, ...]]]:
    """What lies directly inside a node, with the conditions that decide about it: a later arm runs where earlier ones failed."""
    if isinstance(node, ir.If):
        found: list[tuple[ir.Node, tuple[ir.Expr, ...]]] = []
        for branch in node.branches:
            tests = (*tests, branch.test)
            found += [(branch.test, tests), *((each, tests) for each in branch.body)]
        return [*found, *((each, tests) for each in node.otherwise)]
    inner = (*tests, node.test) if isinstance(node, ir.Conditional) else (*tests, node) if isinstance(node, ir.Boolean) else tests
    return [(child, inner) for child in children(node)]


def _asks_own(node: ir.Node, holder: str) -> bool:
    if not isinstance(node, ir.Call):
        return False
    parts = _parts(node.callee)
    if not parts & _OWN:
        return False
    asked = node.callee.value if isinstance(node.callee, ir.Attribute) else None
    first = node.arguments[0].value if node.arguments else None
    return any(isinstance(each, ir.Name) and each.id == holder for each in (asked, first))


def _parts(callee: ir.Expr) -> frozenset[str]:
    found: set[str] = set()
    while isinstance(callee, ir.Attribute):
        found.add(callee.name)
        callee = callee.value
    return frozenset(found | ({callee.id} if isinstance(callee, ir.Name) else set()))


def _entered(value: ir.Expr, entries: dict[str, str], unit: Unit) -> str:
    """The variable whose entry a value is, alternatives included: `object[key] || {}`."""
    pending: list[ir.Expr] = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, ir.Index) and isinstance(each.value, ir.Name) and unit.is_name(each.key):
            return each.value.id
        if isinstance(each, ir.Name) and each.id in entries:
            return entries[each.id]
        if isinstance(each, ir.Boolean):
            pending.extend(each.operands)
        elif isinstance(each, ir.Conditional):
            pending += [each.then, each.other]
        elif isinstance(each, ir.Bind):
            pending += [each.target, each.value]
    return ""


def _listed(value: ir.Expr) -> str:
    """The object in `Object.keys(object)` and its like."""
    if isinstance(value, ir.Call) and _last(value.callee) in _KEYS and len(value.arguments) == 1:
        given = value.arguments[0].value
        return given.id if isinstance(given, ir.Name) else ""
    return ""


def _is_default(value: ir.Expr | None) -> bool:
    """`object[key] || {}`."""
    return isinstance(value, ir.Boolean) and isinstance(value.operands[-1], ir.Mapping | ir.Sequence)


def _is_nameless(function: ir.Function) -> bool:
    return function.qualified.rpartition(".")[2].startswith("function at") and bool(function.within)


def _texts(nodes: "Iterator[ir.Node] | list[ir.Node]") -> frozenset[str]:
    return frozenset(node.value for node in nodes if isinstance(node, ir.Const) and isinstance(node.value, str))


def _last(expr: ir.Expr) -> str:
    return expr.name if isinstance(expr, ir.Attribute) else expr.id if isinstance(expr, ir.Name) else ""
