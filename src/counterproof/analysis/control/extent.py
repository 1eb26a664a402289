"""Numbers from requests that decide how long the program works or how much memory it takes (CWE-770).

Always holds: the number is walked back to its origin; any comparison, clamp or declared bound makes it harmless. Does not belong
here: amounts of money, and patterns that take long on texts.
"""

from collections import Counter
from collections.abc import Iterator

from counterproof.analysis.backward.derivation import Hop, Origin, OriginKind, Way
from counterproof.analysis.backward.derive import Backward
from counterproof.analysis.backward.ground import Ground
from counterproof.analysis.backward.items import Item
from counterproof.analysis.control.messages import UNBOUNDED_INPUT, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.flow.handlers import is_own_task
from counterproof.analysis.libraries import sinks
from counterproof.analysis.outline.words import vocabulary, words_in
from counterproof.analysis.syntax.ir import (
    Argument,
    Assign,
    Binary,
    Call,
    Compare,
    Concat,
    Const,
    Expr,
    Function,
    Name,
    Node,
    Sequence,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.flow import StepKind
from counterproof.model.location import at
from counterproof.model.recon import NETWORK_KINDS

_CALLS = {each.call: each.arguments[0] for each in sinks("allocation") if isinstance(each.arguments[0], int)}
"""Calls whose work or memory grows with this argument."""

_BOUNDS = ("le", "lt", "max", "max_value", "maximum")
"""Options by which a declared parameter is bounded from above."""

_BOUNDING = vocabulary("min clamp validate check bounded limit")
ANYTHING = ""
"""Stands for some variable or other; no variable is called so."""

_ORDER = frozenset({"<", ">", "<=", ">="})
MAX_LOOKED = 12
"""Numbers of one function that are walked back; more than that only made code has."""

_SETTLED = ("allow-list", "fixed choice")


def unbounded(backward: Backward, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Only in what handlers do: walking back from every loop of a library would take long and find no sender."""
    reached = {place for each in operations for place in each.effects.functions}
    careful = _Careful()
    looked = Counter[tuple[str, int]]()
    for ground, node, extent in _extents(backward, {path for path, _ in reached}):
        function = ground.function(node)
        place = (ground.path, function.line) if function is not None else None
        if function is None or place is None or place not in reached or _bounded(function, extent, careful):
            continue
        looked[place] += 1
        if looked[place] > MAX_LOOKED:
            continue
        hop = Hop(StepKind.SINK, ground.path, node.line, "")
        ways = backward.slicer.ways((Item(ground, extent, hop, node),))
        way = next(
            (each for each in ways if each.remote and each.broken is None and not _is_settled(backward, function, each, careful)),
            None,
        )
        if way is not None:
            entry = next(iter(backward.program.entries(ground, function)), None)
            why = f"{way.origin.text[:1].upper()}{way.origin.text[1:]} decides how much, and nothing bounds it."
            yield finding(backward.quotes, UNBOUNDED_INPUT, at(ground.path, node.line), entry, why, function.qualified)


def _is_settled(backward: Backward, function: Function, way: Way, careful: "_Careful") -> bool:
    """Whether the number was chosen from a list or by the program itself, or another function on its way compares or clamps
    something."""
    if any(each.label in _SETTLED for each in way.defences) or not _is_sent(backward, way.origin):
        return True
    passed = {(hop.path, hop.line) for hop in way.hops}
    others = (each for path, line in passed for each in _around(backward, path, line) if each is not function)
    return any(ANYTHING in careful.of(each) for each in others)


def _is_sent(backward: Backward, origin: Origin) -> bool:
    """Whether a request brings it. What gets a task is put on the queue by the program itself."""
    if origin.kind is OriginKind.REQUEST:
        return True
    ground = backward.program.ground(origin.at.path)
    entries = (e for each in _around(backward, origin.at.path, origin.at.start) for e in backward.program.entries(ground, each))
    return any(each.kind in NETWORK_KINDS and not is_own_task(each) for each in entries)


def _around(backward: Backward, path: str, line: int) -> Iterator[Function]:
    functions = backward.program.ground(path).outline.functions.values()
    return (each for each in functions if each.line <= line <= each.end)


def _extents(backward: Backward, paths: set[str]) -> Iterator[tuple[Ground, Node, Expr]]:
    """Every place where a number decides about work or memory: the node, and the expression of the number."""
    for path in backward.program.codebase.paths:
        if path not in paths:
            continue
        backward.program.project.checkpoint()
        outline = backward.program.codebase.outline(path)
        ground = backward.program.ground(outline.path)
        for site in outline.of(Call):
            extent = _given(outline.dotted(site.node.callee), site.node)
            if extent is not None and not isinstance(extent, Const):
                yield ground, site.node, extent
        for site in outline.of(Binary):
            extent = _repeated(site.node)
            if extent is not None:
                yield ground, site.node, extent


def _given(name: str, call: Call) -> Expr | None:
    values = [each.value for each in call.arguments if not each.keyword and not each.spread]
    if name == "range" and values:
        return values[min(1, len(values) - 1)]
    position = _CALLS.get(name)
    return values[position] if position is not None and position < len(values) else None


def _repeated(node: Binary) -> Expr | None:
    """The number in `"x" * n` and `[0] * n`."""
    if node.operator != "*" or len(node.operands) != 2:
        return None
    left, right = node.operands
    if _is_sequence(left):
        return right
    return left if _is_sequence(right) else None


def _is_sequence(expr: Expr) -> bool:
    return isinstance(expr, Sequence | Concat) or (isinstance(expr, Const) and isinstance(expr.value, str | bytes))


def _bounded(function: Function, extent: Expr, careful: "_Careful") -> bool:
    """Whether the function compares or clamps a name in the number, or declares a bound for a parameter of that name."""
    names = {each.id for each in walk(extent) if isinstance(each, Name)}
    if any(
        isinstance(each, Call) and isinstance(each.callee, Name) and each.callee.id in ("min", "len") for each in walk(extent)
    ):
        return True
    declared = (each for each in function.parameters if each.name in names)
    if any(_declares_bound(node) for each in declared for node in (each.default, each.annotation) if node is not None):
        return True
    return not names.isdisjoint(careful.of(function))


class _Careful:
    """What each function compares or clamps, looked for once."""

    def __init__(self) -> None:
        self._known: dict[int, frozenset[str]] = {}

    def of(self, function: Function) -> frozenset[str]:
        """The variables; ANYTHING is among them where anything at all is put in order or clamped."""
        if id(function) not in self._known:
            self._known[id(function)] = frozenset(name for node in walk(*function.body) for name in _checked(node))
        return self._known[id(function)]


def _checked(node: Node) -> Iterator[str]:
    """`name > LIMIT`, `name in CHOICES`, `clamp(name)`, `name = min(…)`; `"key" in name` says nothing about the size of it."""
    if isinstance(node, Compare):
        in_order = bool(_ORDER & set(node.operators))
        parts = node.operands if in_order else node.operands[:1]
        yield from (each.id for part in parts for each in walk(part) if isinstance(each, Name))
        if in_order:
            yield ANYTHING
    elif isinstance(node, Call) and words_in(node.callee) & _BOUNDING:
        yield ANYTHING
        yield from (each.value.id for each in node.arguments if isinstance(each.value, Name))
    elif isinstance(node, Assign) and node.value is not None and _clamps(node.value):
        yield from (each.id for each in node.targets if isinstance(each, Name))


def _clamps(value: Expr) -> bool:
    return any(isinstance(each, Call) and words_in(each.callee) & _BOUNDING for each in walk(value))


def _declares_bound(node: Expr) -> bool:
    return any(isinstance(each, Argument) and each.keyword in _BOUNDS for each in walk(node))
