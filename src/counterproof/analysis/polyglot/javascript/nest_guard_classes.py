"""The requirement of a NestJS guard class, read from its `canActivate`: whom it rejects, and which metadata admits everyone.

Invariant: a project's guard is read, an external one is named; unconditional `return true` is not a guard; admission that depends
on anything but metadata leaves the result unknown unless the guard rejects by default. Not handled here: where guards are
applied.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from counterproof.analysis.endpoints.understanding import Asked
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, unknown
from counterproof.analysis.polyglot.chains import plain_name
from counterproof.analysis.polyglot.corpus import Place
from counterproof.analysis.polyglot.guards import by_name, refusal
from counterproof.analysis.polyglot.javascript.modules import CLASSES, FUNCTIONS, Meaning, Modules
from counterproof.analysis.polyglot.javascript.nest_decorators import UNREAD, read_key
from counterproof.analysis.polyglot.literals import items
from counterproof.analysis.polyglot.nodes import inside, line_of, unwrapped
from counterproof.analysis.polyglot.script_guards import asked_by_package, asked_by_script
from counterproof.analysis.polyglot.source import Function, Source
from counterproof.model.recon import Asks, Guard

MAX_PARENTS = 4
MAX_CLIMB = 40
_MISSING = ("undefined", "null", "=== 0", "== 0", "false", "< 1")


@dataclass(frozen=True, slots=True)
class GuardReading:
    """`lifted_by`: metadata that admits everyone. `asks_only_with`: without one of these on the handler no one is checked.
    `package`: of a guard outside the project, which may read what decorators of the same package set."""

    verdict: Verdict
    lifted_by: frozenset[str] = frozenset()
    asks_only_with: frozenset[str] = frozenset()
    package: str = ""

    def on(self, metadata: frozenset[str]) -> Verdict:
        """The verdict before a handler with this metadata. A guard that asks for nothing there is still written."""
        silent = bool(self.asks_only_with) and not self.asks_only_with & metadata
        lifted = bool(self.lifted_by & metadata)
        unread = UNREAD in metadata and (silent or (self.lifted_by and not lifted))
        if self.verdict.by is not None and (unread or (self.package and f"package {self.package}" in metadata)):
            note = "a decorator that may switch the guard off could not be read"
            written = tuple(replace(each, asks=Asks.NOT_UNDERSTOOD, right="") for each in self.verdict.written)
            return Verdict(Guard.UNKNOWN, replace(self.verdict.by, note=note), written)
        if silent or lifted:
            return replace(
                OPEN, written=tuple(replace(each, asks=Asks.NOTHING, right="", partly=False) for each in self.verdict.written)
            )
        return self.verdict


@dataclass(slots=True)
class _Ways:
    """The exits of one `canActivate`."""

    refuses: bool = False
    tests: bool = False
    sometimes: bool = False
    always: bool = False
    refused_with: set[str] = field(default_factory=set[str])
    lifted_by: set[str] = field(default_factory=set[str])
    asks_only_with: set[str] = field(default_factory=set[str])


def guard_readings(modules: Modules, source: Source, node: Node) -> tuple[GuardReading, ...]:
    """A guard class, an instance of one or a list of them, as in `@UseGuards(…)`."""
    found = modules.meaning(source, node)
    if found is not None and found.node is not None and found.node.type == "array":
        return tuple(_reading(modules, found.source, each) for each in items(found.node))
    return (_reading(modules, source, node),)


def _reading(modules: Modules, source: Source, node: Node) -> GuardReading:
    name = plain_name(source, node)
    found = modules.meaning(source, node)
    if found is not None and found.node is not None and found.node.type in CLASSES:
        return _of_class(modules, source, node, found, name, 0)
    package = modules.package_of(source, name)
    return GuardReading(by_name(source, node, f"{name} of {package}.{name}" if package else name), package=package)


def _of_class(modules: Modules, source: Source, node: Node, found: Meaning, name: str, depth: int) -> GuardReading:
    assert found.node is not None
    owner = found.source.class_name(found.node)
    own = {each.name: each for each in found.source.functions if each.owner == owner and each.node.type in FUNCTIONS}
    here = present(source.path, line_of(node), name, f"guard {name}")
    if (after := own.get("handleRequest")) is not None and not _throws(after):
        return GuardReading(OPEN)  # it admits everyone, logged in or not
    decides = own.get("canActivate")
    parent = _parent(modules, found, depth)
    if decides is not None:
        place = Place(found.source, decides)
        reading = _read(modules, place, here, unknown(source.path, line_of(node), _unread(name), name))
        asked = asked_by_script(place, modules.called)
        if parent is not None and asked.asks is Asks.NOT_UNDERSTOOD and "super.canActivate" in place.source.text(decides.node):
            asked = _asked_by_parent(modules, node, parent, name, depth)
        by_metadata = asked.asks is Asks.ROLE and not asked.right and b"eflector" in found.source.data
        written = tuple(replace(each, asks=asked.asks, right=asked.right, partly=by_metadata) for each in reading.verdict.written)
        return replace(reading, verdict=replace(reading.verdict, written=written))
    if parent is None:
        return GuardReading(unknown(source.path, line_of(node), _unread(name), name))
    if parent.node is None:
        foreign = by_name(source, node, f"{name} of {parent.foreign}")
        written = tuple(replace(each, at=here.written[0].at) for each in foreign.written)
        verdict = replace(here, written=written) if foreign.guard is Guard.PRESENT else foreign
        return GuardReading(verdict, package=parent.foreign.rpartition(".")[0])
    return _of_class(modules, source, node, parent, name, depth + 1)


def _asked_by_parent(modules: Modules, node: Node, parent: Meaning, name: str, depth: int) -> Asked:
    if parent.node is None:
        return asked_by_package(node, f"{name} of {parent.foreign}")
    written = _of_class(modules, parent.source, node, parent, name, depth + 1).verdict.written
    return Asked(written[0].asks, written[0].right) if written else Asked(Asks.NOT_UNDERSTOOD)


def _unread(name: str) -> str:
    return f"guard {name} could not be read"


def _parent(modules: Modules, found: Meaning, depth: int) -> Meaning | None:
    """The base of a class: a project class, or an external name (`AuthGuard('jwt')` is a call that creates a class)."""
    assert found.node is not None
    heritage = next((child for child in found.node.children if child.type == "class_heritage"), None)
    clause = next((each for each in inside(heritage) if each.type == "extends_clause"), heritage) if heritage else None
    value = unwrapped(clause.named_children[0]) if clause is not None and clause.named_children else None
    if value is None or depth >= MAX_PARENTS:
        return None
    meant = modules.meaning(found.source, value)
    if meant is not None and meant.node is not None and meant.node.type in CLASSES:
        return meant
    name = plain_name(found.source, value) or found.source.text(value, 80)
    return Meaning(found.source, foreign=".".join(part for part in (modules.package_of(found.source, name), name) if part))


def _throws(function: Function) -> bool:
    return any(each.type == "throw_statement" for each in inside(function.node))


def _read(modules: Modules, place: Place, here: Verdict, unread: Verdict) -> GuardReading:
    keys = _variables(modules, place)
    ways = _Ways()
    for each in _exits(place.function.node):
        _way(modules, place, each, keys, ways)
    refused = refusal(place, around=True, follow=modules.called) is not Guard.ABSENT
    if not (refused or ways.refuses or ways.tests):
        return GuardReading(OPEN if not _hands_over(place) else unread)
    doubtful = ways.sometimes and not refused and not ways.refuses
    asks_only_with = ways.asks_only_with if ways.always else ways.asks_only_with | ways.refused_with
    return GuardReading(unread if doubtful else here, frozenset(ways.lifted_by), frozenset(asks_only_with))


def _hands_over(place: Place) -> bool:
    """Return True if it returns nothing itself, so code that was not understood may decide."""
    return not any(each.type == "return_statement" for each in inside(place.function.node))


def _variables(modules: Modules, place: Place) -> dict[str, str]:
    """Local variables with metadata, and their keys."""
    found: dict[str, str] = {}
    for each in inside(place.function.node):
        if each.type == "variable_declarator":
            value, name = each.child_by_field_name("value"), each.child_by_field_name("name")
            key = read_key(modules, place.source, value) if value is not None else ""
            if key and name is not None:
                found[place.source.text(name)] = key
    return found


def _exits(function: Node) -> Iterator[Node]:
    """`return` and `throw` of a function itself, not of nested functions; also the body of an arrow function without braces."""
    body = function.child_by_field_name("body")
    if body is not None and body.type != "statement_block":
        yield body
        return
    pending = [body] if body is not None else []
    while pending:
        current = pending.pop()
        if current.type in FUNCTIONS or current.type in CLASSES:
            continue
        if current.type in ("return_statement", "throw_statement"):
            yield current
        else:
            pending.extend(reversed(current.named_children))


def _way(modules: Modules, place: Place, out: Node, keys: dict[str, str], ways: _Ways) -> None:
    value = unwrapped(out.named_children[0]) if out.type == "return_statement" and out.named_children else unwrapped(out)
    conditions = list(_conditions(place.function.node, out))
    metadata = [(key, missing) for each in conditions for key, missing in _asked(modules, place.source, each, keys)]
    if _is_true(place.source, value):
        if metadata:
            for key, missing in metadata:
                (ways.asks_only_with if missing else ways.lifted_by).add(key)
        else:
            ways.sometimes = ways.sometimes or bool(conditions)
        return
    # A rejection under "has roles" applies only to handlers with roles.
    ways.refused_with.update(key for key, missing in metadata if not missing)
    ways.always = ways.always or not metadata
    if out.type == "throw_statement" or place.source.text(value) == "false":
        ways.refuses = True
        return
    ways.tests = True
    first = value.child_by_field_name("left") if value is not None and value.type == "binary_expression" else None
    if first is not None and value is not None and place.source.text(value.child_by_field_name("operator")) == "||":
        for key, missing in _asked(modules, place.source, first, keys):
            (ways.asks_only_with if missing else ways.lifted_by).add(key)


def _is_true(source: Source, node: Node | None) -> bool:
    """`true`, also wrapped in a promise or an observable."""
    text = source.text(node, 60)
    return text == "true" or text in ("Promise.resolve(true)", "of(true)")


def _conditions(function: Node, node: Node) -> Iterator[Node]:
    """The conditions of the `if` statements around a node, innermost first, without those whose `else` contains it."""
    current, parent = node, node.parent
    for _ in range(MAX_CLIMB):
        if parent is None or current.id == function.id:
            return
        taken = parent.child_by_field_name("consequence")
        asked = parent.child_by_field_name("condition")
        if parent.type == "if_statement" and asked is not None and taken is not None and taken.id == current.id:
            yield asked
        current, parent = parent, parent.parent


def _asked(modules: Modules, source: Source, condition: Node, keys: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """The metadata in a condition, and whether the condition is true without it."""
    text = source.text(condition)
    missing = "!" in text.replace("!==", "").replace("!=", "") or any(mark in text for mark in _MISSING)
    names = {source.text(each) for each in inside(condition) if each.type == "identifier"}
    for name in sorted(names & keys.keys()):
        yield keys[name], missing
    if not names & keys.keys() and (key := read_key(modules, source, condition)):
        yield key, missing
