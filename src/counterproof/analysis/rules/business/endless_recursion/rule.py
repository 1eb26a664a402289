"""Function that calls itself for each level of what it was given.

## What it finds
In code that others install: a function that calls itself with a part of what it was given (an element that a loop takes from it,
an entry, a field), and that knows no depth, no limit and nothing that it has seen before.

## Why it matters
A document whose parts lie in one another some thousand times exhausts the stack: the process ends, or an error goes up that
nobody expects.

## What is safe
A depth that is counted and compared; a list of what is still to be done in place of calls; catching the error of the stack.

## Limits
Told as posture: where the value comes from, and how deep it can be, is not followed. Only functions that call themselves directly
are read, and any name that speaks of a depth, a limit or of what was seen counts as a bound.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.outline.open_values import OpenValues
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.traversal import called
from counterproof.analysis.outline.words import vocabulary, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Function, Index, Name

_BOUNDS = vocabulary("depth level levels limit limits max maximum nesting seen visited recursion stack indent parents ancestors")
_ITSELF = ("self", "this", "cls")


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    if outline is None:
        return
    told: set[str] = set()
    for site in outline.of(Call):
        function = site.function
        if function is None or function.qualified in told or not _calls_itself(outline, site, function) or _is_bounded(function):
            continue
        deeper = next((each.value for each in site.node.arguments if _is_part(outline, site, each.value)), None)
        if deeper is not None:
            told.add(function.qualified)
            yield bad(site, "recursion", f"as deep as what {function.name} was given", Confidence.MEDIUM)


def _calls_itself(outline: Outline, site: Site[Call], function: Function) -> bool:
    callee = site.node.callee
    if called(site.node) != function.name:
        return False
    receiver = callee.value if isinstance(callee, Attribute) else None
    owned = isinstance(receiver, Name) and (receiver.id in _ITSELF or receiver.id == function.owner)
    return owned if receiver is not None else not function.owner


def _is_bounded(function: Function) -> bool:
    return bool(words_in(*function.parameters, *function.body) & _BOUNDS)


def _is_part(outline: Outline, site: Site[Call], value: Expr) -> bool:
    """An element, an entry or a field of something that the function was given."""
    if isinstance(value, Attribute | Index):
        root: Expr = value
        while isinstance(root, Attribute | Index):
            root = root.value
        return isinstance(root, Name) and root.id not in _ITSELF and bool(OpenValues(outline, site).raw(root))
    looped = isinstance(value, Name) and site.function is not None and value.id in outline.looped(site.function)
    return looped and bool(OpenValues(outline, site).raw(value))


RULE = CheckRule(
    title="Recursion without a limit",
    kind="extent",
    cwe=674,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="A deeply nested document ends the process.",
    remedy="Count the depth and refuse what is deeper than any sensible document.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="functions that call themselves",
)
