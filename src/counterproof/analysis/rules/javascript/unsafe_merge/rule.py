"""Deep copy that follows the prototype, in JavaScript and TypeScript.

## What it finds
A function that copies the keys of one object into another and calls itself for what lies deeper, or that walks into an
object along a path and assigns at its end, and that never speaks of `__proto__`, `constructor` or own properties without a
prototype.

## Why it matters
Whoever decides about the keys changes all objects of the process with a key called `__proto__`.

## What is safe
Leaving out `__proto__`, `constructor` and `prototype`; `Map`; objects made with `Object.create(null)`.

## Limits
Who decides about the keys is not followed, so that confidence is medium.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import script_file, script_outline
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_KEYS = frozenset({"__proto__", "constructor", "prototype"})
_BARE = frozenset({"create", "Map", "isPlainObject"})


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = script_outline(project, path)
    for function in outline.module.functions:
        nodes = _own(function)
        if not any(isinstance(node, ir.Loop) for node in nodes) or _is_careful(nodes):
            continue
        if _merges(function, nodes) or _walks(nodes):
            at, name = function.line, function.qualified
            yield Match(at, at, name, "follows __proto__", True, Confidence.MEDIUM, name)


def _own(function: ir.Function) -> list[ir.Node]:
    """The nodes of a function without those of the functions inside."""
    found: list[ir.Node] = []
    pending: list[ir.Node] = list(reversed(function.body))
    while pending:
        node = pending.pop()
        if not isinstance(node, ir.Function):
            found.append(node)
            pending.extend(reversed(children(node)))
    return found


def _is_careful(nodes: list[ir.Node]) -> bool:
    texts = {node.value for node in nodes if isinstance(node, ir.Const) and isinstance(node.value, str)}
    names = {
        node.name if isinstance(node, ir.Attribute) else node.id for node in nodes if isinstance(node, ir.Attribute | ir.Name)
    }
    return bool(texts & _KEYS or names & _BARE)


def _merges(function: ir.Function, nodes: list[ir.Node]) -> bool:
    """`for (key in source) target[key] = …`, with a call of itself on `target[key]`, and no check of what `target` owns."""
    copied = {target.value.id for target in _indexed(nodes) if isinstance(target.value, ir.Name)}
    own = {function.name, function.qualified.rpartition(".")[2]}
    given = {each.name for each in function.parameters}
    deeper = any(
        isinstance(node, ir.Call)
        and _last(node.callee) in own
        and any(isinstance(each.value, ir.Index) and isinstance(each.value.value, ir.Name) and each.value.value.id in copied
                for each in node.arguments)
        for node in nodes
    )  # fmt: skip
    return deeper and bool(copied & given)


def _walks(nodes: list[ir.Node]) -> bool:
    """`object = object[key]` in a loop, and `object[key] = value`."""
    steps = {
        target.id
        for node in nodes
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Index) and isinstance(node.value.value, ir.Name)
        for target in node.targets
        if isinstance(target, ir.Name) and target.id == node.value.value.id
    }
    return any(isinstance(target.value, ir.Name) and target.value.id in steps for target in _indexed(nodes))


def _indexed(nodes: list[ir.Node]) -> Iterator[ir.Index]:
    """What is assigned to by a computed key."""
    for node in nodes:
        targets = node.targets if isinstance(node, ir.Assign) else (node.target,) if isinstance(node, ir.Bind) else ()
        yield from (each for each in targets if isinstance(each, ir.Index) and not isinstance(each.key, ir.Const))


def _last(expr: ir.Expr) -> str:
    return expr.name if isinstance(expr, ir.Attribute) else expr.id if isinstance(expr, ir.Name) else ""


RULE = CheckRule(
    RuleInfo(
        id="javascript-unsafe-merge",
        title="Deep copy that follows the prototype",
        dimension=Dimension.D1,
        kind="prototype",
        cwe=1321,
        severity=Severity.MEDIUM,
        impact=Impact.PARTIAL,
        consequence="Keys from outside can change properties of every object in the process.",
        remedy="Leave out __proto__, constructor and prototype.",
    ),
    _check,
    script_file,
    query="functions that copy or set deeply",
)
