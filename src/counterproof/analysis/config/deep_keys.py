"""JavaScript functions that write deep into an object along keys chosen by a caller.

Invariant: a function is examined together with the anonymous functions inside it that it passes to `forEach`, `reduce` and
similar methods; numeric index keys do not count. Not handled here: the origin of the keys.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children, last_name, walk

_OWN = frozenset(
    {"has_key", "hasOwnProperty", "hasOwn", "propertyIsEnumerable", "has", "own", "hasOwnProp", "getOwnPropertyDescriptor"}
)
_KEYS = frozenset({"keys", "getOwnPropertyNames", "ownKeys"})
_NUMBERED = ("index", "idx")
PROTOTYPES = frozenset({"__proto__", "constructor", "prototype"})
_WARY = ("proto", "pollut", "unsafe", "safekey", "dangerous", "forbidden")
MAX_NODES = 20_000


@dataclass(slots=True)
class Write:
    """`holder[key] = value`."""

    holder: str
    node: ir.Node
    fresh: bool


class Scripted:
    """The functions of one module, by name. `text` is the source, for type comparisons that the IR omits."""

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
        """Strings in the values of the module's own variables."""
        found: dict[str, frozenset[str]] = {}
        for each in self.module.body:
            if isinstance(each, ir.Assign) and each.value is not None and not isinstance(each.value, ir.Name):
                texts = _texts_of(walk(each.value))
                found |= {target.id: texts for target in each.targets if isinstance(target, ir.Name)}
        return found

    def deep_writes(self) -> Iterator[tuple["Unit", ir.Node]]:
        """Each function that writes deeply without excluding prototype keys, with the assignment."""
        for unit in self.units:
            found = unit.deep_write()
            if found is not None:
                yield unit, found


class Unit:
    """A function and the anonymous functions inside it, as one piece of code."""

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
            pending.extend(reversed(_with_tests(node, tests)))
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
                given = node.value.operands[-1] if isinstance(node.value, ir.Boolean) else node.value  # `object[key] || {}`
                fresh = isinstance(given, ir.Mapping | ir.Sequence)
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
        """Keys with the object they were listed from: iterating over an object's own keys yields no inherited ones."""
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
        return frozenset(last_name(node.callee) for node in self.nodes if isinstance(node, ir.Call))

    @cached_property
    def mentioned(self) -> frozenset[str]:
        return frozenset(node.id for node in self.nodes if isinstance(node, ir.Name))

    def is_name(self, key: ir.Expr) -> bool:
        """Return True if a key can be a string from outside: neither a literal nor a numeric index."""
        if isinstance(key, ir.Name):
            return key.id not in self.counters and not any(part in key.id.lower() for part in _NUMBERED)
        return isinstance(key, ir.Index | ir.Attribute | ir.Call)

    def deep_write(self) -> ir.Node | None:
        """The assignment that writes deeply without excluding prototype keys."""
        found = self.walked()
        return None if found is None or is_careful(self) else found

    def walked(self) -> ir.Node | None:
        """The assignment that writes deeply, whatever checks there are on the keys."""
        holders = {each.holder for each in self.writes}
        deeper = [*self._calls_itself(holders), *self._steps(holders)] if holders else []
        if deeper and not all(asks_for_own_keys(self, holder, tests) for holder, tests in deeper):
            named = {holder for holder, _ in deeper}
            chosen = [each for each in self.writes if each.holder in named]
            return next((each.node for each in chosen if not each.fresh), None)
        reduced = self._reduced()
        asks = any("hasown" in name.lower() for name in self.mentioned | self.called)
        return None if asks else reduced

    def _calls_itself(self, holders: set[str]) -> Iterator[tuple[str, tuple[ir.Expr, ...]]]:
        """`f(target[key], …)` inside `f`, for objects being written to."""
        own = {part for part in self.function.qualified.split(".") if not part.startswith("function at")} | {self.function.name}
        entries = self._entries()
        for node, tests in self.tests:
            if isinstance(node, ir.Call) and last_name(node.callee) in own:
                for position, argument in enumerate(node.arguments):
                    holder = _entered(argument.value, entries, self.is_name)
                    if holder not in holders or self._is_made_anew(holder):
                        continue
                    if last_name(node.callee) != self.name or self._is_passed_on(holder, position):
                        yield holder, tests

    def made(self, name: str) -> list[ir.Expr | None]:
        """The values assigned to a variable in this unit."""
        return [
            node.value
            for node in self.nodes
            if isinstance(node, ir.Assign) and any(isinstance(each, ir.Name) and each.id == name for each in node.targets)
        ]

    def _is_made_anew(self, name: str) -> bool:
        """Return True if each call writes to a new object, so that its argument stays unchanged."""
        unit: Unit | None = self
        while unit is not None:
            if any(each.name == name for each in unit.function.parameters):
                return False
            if made := unit.made(name):
                return all(isinstance(each, ir.Mapping | ir.Sequence) for each in made)
            unit = self.around.by_qualified.get(unit.function.within)
        return False

    def _is_passed_on(self, holder: str, position: int) -> bool:
        """Return True if the recursive call writes to its argument at this position, as this one does."""
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

    def _entries(self) -> dict[str, str]:
        """`value = object[key]`: variables with a value one level deeper, and its object."""
        found: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, ir.Assign) and node.value is not None:
                holder = _entered(node.value, {}, self.is_name)
                if holder:
                    found |= {target.id: holder for target in node.targets if isinstance(target, ir.Name)}
        return found

    def _steps(self, holders: set[str]) -> Iterator[tuple[str, tuple[ir.Expr, ...]]]:
        """`object = object[key]`, in a loop or for each part of a path."""
        for node, tests in self.tests:
            if isinstance(node, ir.Assign) and node.value is not None:
                into = {_entered(node.value, {}, self.is_name)}
                into |= {each.value.id for each in node.targets if isinstance(each, ir.Index) and isinstance(each.value, ir.Name)}
                for target in node.targets:
                    if isinstance(target, ir.Name) and target.id in into and target.id in holders:
                        yield target.id, tests

    def _reduced(self) -> ir.Node | None:
        """`keys.reduce((object, key) => object[key], target)[last] = value`, also with a variable in between."""
        for node in self.nodes:
            if isinstance(node, ir.Assign | ir.Bind):
                for each in node.targets if isinstance(node, ir.Assign) else (node.target,):
                    if isinstance(each, ir.Index) and any(_is_reduced(held) for held in self._held(each.value)):
                        return node if self.is_name(each.key) else None
        return None

    def _held(self, holder: ir.Expr) -> list[ir.Expr | None]:
        return self.made(holder.id) if isinstance(holder, ir.Name) else [holder]


def _is_reduced(value: ir.Expr | None) -> bool:
    """The result of walking along keys: a reduction that does not start with a fresh object."""
    if not isinstance(value, ir.Call) or last_name(value.callee) != "reduce":
        return False
    return len(value.arguments) == 2 and not isinstance(value.arguments[1].value, ir.Mapping | ir.Sequence | ir.Const)


def is_careful(unit: Unit) -> bool:
    """Return True if prototype keys are excluded, here or in a function or constant used for the check."""
    around = unit.around
    asked = [other for name in sorted(unit.called) if (other := around.by_name.get(name)) is not None]
    texts = _texts_of(unit.nodes).union(*(_texts_of(other.nodes) for other in asked))
    texts = texts.union(*(around.constants.get(name, frozenset()) for name in unit.mentioned))
    if any(part in name.lower() for name in unit.called for part in _WARY) or "create" in unit.called:
        return True
    found = {name for name in PROTOTYPES for text in texts if name in text}
    return "__proto__" in found


def asks_for_own_keys(unit: Unit, holder: str, tests: tuple[ir.Expr, ...]) -> bool:
    """Return True if it descends only if the object itself, not its prototype, has the key."""
    return any(_asks_own(node, holder) for test in (*tests, *_leaving(unit)) for node in walk(test))


def _leaving(unit: Unit) -> list[ir.Expr]:
    """Conditions that skip the rest."""
    return [
        branch.test
        for node in unit.nodes
        if isinstance(node, ir.If)
        for branch in node.branches
        if branch.body and isinstance(branch.body[-1], ir.Jump | ir.Return | ir.Raise)
    ]


def _with_tests(node: ir.Node, tests: tuple[ir.Expr, ...]) -> list[tuple[ir.Node, tuple[ir.Expr, ...]]]:
    """The direct children of a node, with the conditions for reaching them: a later branch runs if earlier ones failed."""
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


def _entered(value: ir.Expr, entries: dict[str, str], is_name: Callable[[ir.Expr], bool]) -> str:
    """The variable of which a value is an entry, including alternatives: `object[key] || {}`."""
    pending: list[ir.Expr] = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, ir.Index) and isinstance(each.value, ir.Name) and is_name(each.key):
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
    """The object in `Object.keys(object)` and similar calls."""
    if isinstance(value, ir.Call) and last_name(value.callee) in _KEYS and len(value.arguments) == 1:
        given = value.arguments[0].value
        return given.id if isinstance(given, ir.Name) else ""
    return ""


def _is_nameless(function: ir.Function) -> bool:
    return function.qualified.rpartition(".")[2].startswith("function at") and bool(function.within)


def _texts_of(nodes: Iterable[ir.Node]) -> frozenset[str]:
    return frozenset(node.value for node in nodes if isinstance(node, ir.Const) and isinstance(node.value, str))
