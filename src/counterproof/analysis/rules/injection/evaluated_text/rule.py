"""Text of a caller evaluated as code.

## What it finds
`eval` and `exec` of what a function was given, of a field, of an entry of a mapping, or of a text into which such a value is put.

## Why it matters
A setting, an expression in a document or a message becomes a program that runs with all the rights of this one.

## What is safe
`ast.literal_eval`, a parser for the few forms that are meant, a table of allowed functions.

## Limits
Where the value comes from in the end is not judged. Functions that say by their name that they run code are left out, and so
are handlers of routes, where data is followed from the request.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.outline.outline import Site
from counterproof.analysis.outline.raw_values import PLAIN, RawValues
from counterproof.analysis.outline.routes import handles_route
from counterproof.analysis.outline.traversal import positional
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Call, Name
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_CODE = vocabulary("code codeobj compiled bytecode co source script src program ast tree node module statement stmt")
_RUNNING = vocabulary("eval exec execute run compile evaluate interpreter console repl shell runsource debug debugger")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        callee = site.node.callee
        given = positional(site.node, 0)
        if (
            not isinstance(callee, Name)
            or callee.id not in ("eval", "exec")
            or given is None
            or callee.id in outline.module.imports
        ):
            continue
        found = (
            ""
            if _means_to(site) or handles_route(site.function)
            else RawValues(outline, site, PLAIN - {"code"} | _CODE).raw(given)
        )
        if found:
            yield bad(site, "evaluated text", f"{found} is run as code", Confidence.MEDIUM)
        else:
            yield good(site, "evaluated text", "made by the program, or meant to be run")


def _means_to(site: Site[Call]) -> bool:
    return site.function is not None and bool(set(words(site.function.name)) & _RUNNING)


RULE = CheckRule(
    RuleInfo(
        id="evaluated-text",
        title="Code injection through a caller's argument",
        dimension=Dimension.D1,
        kind="code",
        cwe=95,
        severity=Severity.MEDIUM,
        shape=Shape.FLOW,
        impact=Impact.FULL,
        consequence="Whoever chooses the text runs code.",
        remedy="Read the value with ast.literal_eval or a parser of your own.",
    ),
    _check,
    python_file,
    query="eval and exec",
)
