"""Numbers from requests that decide how long the program works or how much memory it takes (CWE-770).

Always holds: the number is walked back to its origin; any comparison, clamp or declared bound makes it harmless. Does not belong
here: amounts of money, and patterns that take long on texts.
"""

from collections.abc import Iterator

from counterproof.analysis.backward.derivation import Hop, Origin, OriginKind, Way
from counterproof.analysis.backward.derive import Backward
from counterproof.analysis.backward.ground import Ground
from counterproof.analysis.backward.items import Item
from counterproof.analysis.control.amounts import is_given
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.wording import UNBOUNDED_INPUT, finding
from counterproof.analysis.flow.handlers import is_own_task
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

_CALLS = {
    "time.sleep": 0,
    "asyncio.sleep": 0,
    "gevent.sleep": 0,
    "anyio.sleep": 0,
    "bytearray": 0,
    "os.urandom": 0,
    "secrets.token_bytes": 0,
    "secrets.token_hex": 0,
    "secrets.token_urlsafe": 0,
    "math.factorial": 0,
    "numpy.zeros": 0,
    "numpy.ones": 0,
    "numpy.empty": 0,
    "numpy.arange": 0,
    "numpy.random.rand": 0,
    "itertools.repeat": 1,
    "PIL.Image.new": 1,
}
"""Calls whose work or memory grows with this argument."""

_BOUNDS = ("le", "lt", "max", "max_value", "maximum")
"""Options by which a declared parameter is bounded from above."""

_BOUNDING = vocabulary("min clamp validate check bounded limit")
_ORDER = frozenset({"<", ">", "<=", ">="})
_SETTLED = ("allow-list", "fixed choice")


def unbounded(backward: Backward, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Only in what handlers do: walking back from every loop of a library would take long and find no sender."""
    reached = {place for each in operations for place in each.effects.functions}
    for ground, node, extent in _extents(backward, {path for path, _ in reached}):
        function = ground.function(node)
        if function is None or (ground.path, function.line) not in reached or _bounded(function, extent):
            continue
        hop = Hop(StepKind.SINK, ground.path, node.line, "")
        ways = backward.slicer.ways((Item(ground, extent, hop, node),))
        way = next(
            (each for each in ways if each.remote and each.broken is None and not _is_settled(backward, function, each)), None
        )
        if way is not None:
            entry = next(iter(backward.program.entries(ground, function)), None)
            why = f"{way.origin.text[:1].upper()}{way.origin.text[1:]} decides how much, and nothing bounds it."
            yield finding(backward.quotes, UNBOUNDED_INPUT, at(ground.path, node.line), entry, why, function.qualified)


def _is_settled(backward: Backward, function: Function, way: Way) -> bool:
    """Whether the number was chosen from a list or by the program itself, or another function on its way compares or clamps
    something."""
    if any(each.label in _SETTLED for each in way.defences) or not _is_sent(backward, way.origin):
        return True
    passed = {(hop.path, hop.line) for hop in way.hops}
    others = (each for path, line in passed for each in _around(backward, path, line) if each is not function)
    return any(_is_careful(each) for each in others)


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


def _is_careful(function: Function) -> bool:
    for node in walk(*function.body):
        if isinstance(node, Compare) and _ORDER & set(node.operators):
            return True
        if isinstance(node, Call) and words_in(node.callee) & _BOUNDING:
            return True
    return False


def _extents(backward: Backward, paths: set[str]) -> Iterator[tuple[Ground, Node, Expr]]:
    """Every place where a number decides about work or memory: the node, and the expression of the number."""
    for outline in backward.program.codebase.outlines():
        if outline.path not in paths:
            continue
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


def _bounded(function: Function, extent: Expr) -> bool:
    """Whether the function compares or clamps a name in the number, or declares a bound for a parameter of that name."""
    names = {each.id for each in walk(extent) if isinstance(each, Name)}
    if any(
        isinstance(each, Call) and isinstance(each.callee, Name) and each.callee.id in ("min", "len") for each in walk(extent)
    ):
        return True
    declared = (each for each in function.parameters if each.name in names)
    if any(_declares_bound(node) for each in declared for node in (each.default, each.annotation) if node is not None):
        return True
    return any(_is_compared(function, name) or is_given(function, name, _BOUNDING) or _clamped(function, name) for name in names)


def _is_compared(function: Function, name: str) -> bool:
    """`name > LIMIT`, `name in CHOICES`; what merely lies in it (`"key" in name`) says nothing about its size."""
    for node in walk(*function.body):
        if isinstance(node, Compare):
            parts = node.operands if _ORDER & set(node.operators) else node.operands[:1]
            if any(isinstance(each, Name) and each.id == name for part in parts for each in walk(part)):
                return True
    return False


def _clamped(function: Function, name: str) -> bool:
    """`name = min(int(given), LIMIT)`."""
    values = [
        node.value
        for node in walk(*function.body)
        if isinstance(node, Assign) and any(isinstance(each, Name) and each.id == name for each in node.targets)
    ]
    calls = (each for value in values if value is not None for each in walk(value) if isinstance(each, Call))
    return any(words_in(each.callee) & _BOUNDING for each in calls)


def _declares_bound(node: Expr) -> bool:
    return any(isinstance(each, Argument) and each.keyword in _BOUNDS for each in walk(node))
