"""Deep copy that follows the prototype, in JavaScript and TypeScript.

## What it finds
A function that copies the keys of one object into another and calls itself for what lies deeper, or that walks into an
object along a path and assigns at its end, and that leaves out neither `__proto__` nor `constructor` and `prototype`. With Low,
a call of a package that sets by path, with a path that the function was given.

## Why it matters
Whoever decides about the keys changes all objects of the process with a key called `__proto__`.

## What is safe
Leaving out `__proto__`, `constructor` and `prototype`; going deeper only where the target itself has the key; `Map`; objects
made with `Object.create(null)`.

## Limits
Who decides about the keys is not followed, so that confidence is medium. Packed files, and files that a published
package brings along and does not load, are left out.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, script_file, script_outline
from counterproof.analysis.config.deep_keys import Scripted
from counterproof.analysis.config.offered import is_loaded, is_packed
from counterproof.analysis.libraries import sinks
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.raw_values import PLAIN, RawValues
from counterproof.analysis.outline.traversal import positional
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Call
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity
from counterproof.model.survey import Language

_SETTERS = frozenset(each.call for each in sinks("prototype", Language.JAVASCRIPT) if each.arguments == (1,))


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if is_packed(text) or not is_loaded(project, path):
        return
    for unit, write in Scripted(project.module(path), text).deep_writes():
        name = unit.function.qualified
        yield Match(write.line, write.line, name, "follows __proto__", True, Confidence.MEDIUM, name)
    yield from _set_by_path(script_outline(project, path))


def _set_by_path(outline: Outline) -> Iterator[Match]:
    """`set(object, path, value)` of a package, with a path that the function was given."""
    for site in outline.of(Call):
        path = positional(site.node, 1) if outline.dotted(site.node.callee) in _SETTERS else None
        if path is not None and RawValues(outline, site, PLAIN).raw(path):
            yield bad(site, "keys", "a path that was given is followed", Confidence.MEDIUM, severity=Severity.LOW)


RULE = CheckRule(
    RuleInfo(
        id="javascript-unsafe-merge",
        title="Prototype pollution through a deep merge",
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
