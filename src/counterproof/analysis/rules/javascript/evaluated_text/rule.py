"""Text of a caller's that is run as a program, in JavaScript and TypeScript.

## What it finds
In code that others install: a text that `eval`, `new Function`, `vm` and their like run, and that a function was given, or that
a field or an entry holds, whole or as a part of the program.

## Why it matters
Names of fields, filters and options become programs with the rights of this one.

## What is safe
A parser for what the text may say; a table of functions by name; names that have to match a pattern.

## Limits
Low by nature: where the text comes from is not followed, and any test of it counts as one that helps. Functions that say by their
name that they run or compile what they are given are left out.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, script_file
from counterproof.analysis.config.open_sinks import installed_outline, open_sinks
from counterproof.analysis.outline.open_values import OpenValues, is_asked_about
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Call, Expr, Name
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity
from counterproof.model.survey import Language

_RUNNING = vocabulary("eval exec execute evaluate interpreter repl sandbox worker bootstrap polyfill")
_PROGRAM = vocabulary("code script program source src compiled bundle module count length")


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    if outline is None:
        return
    for site, given in open_sinks(outline, "code-execution", Language.JAVASCRIPT):
        written = _written(outline, site, given)
        found = OpenValues(outline, site, _PROGRAM).raw(written)
        meant = site.function is not None and set(words(site.function.qualified.rpartition(".")[2])) & _RUNNING
        if not found or meant or is_asked_about(outline, site, given, written):
            yield good(site, "evaluated text", "made by the program, asked about, or meant to be run")
        else:
            yield bad(site, "evaluated text", f"{found} is run as code", Confidence.MEDIUM)


def _written(outline: Outline, site: Site[Call], given: Expr) -> Expr:
    assigned = outline.local(site.function, given.id) if isinstance(given, Name) else None
    return assigned.value if assigned is not None and assigned.value is not None else given


RULE = CheckRule(
    RuleInfo(
        id="javascript-evaluated-text",
        title="Code injection: a caller's text evaluated",
        dimension=Dimension.D1,
        kind="code",
        cwe=94,
        severity=Severity.LOW,
        shape=Shape.FLOW,
        impact=Impact.FULL,
        consequence="Whoever chooses the text runs code.",
        remedy="Parse what the text may say, or choose among functions by name.",
    ),
    _check,
    script_file,
    query="texts that are run as programs",
)
