"""Caller-supplied text evaluated as code.

## What it finds
`eval` and `exec` of a parameter, a field, an entry of a mapping, or a text built from such a value. In JavaScript libraries:
`eval`, `new Function`, `vm` and similar functions.

## Why it matters
A setting, an expression in a document or a message runs as code with all privileges of the program.

## What is safe
`ast.literal_eval`, a parser for the expected forms, a table of allowed functions. In JavaScript also names that must match a
pattern.

## Limits
The origin of the value is not followed. Functions whose name says that they run code, and that receive the code as a
parameter, are skipped, and so are route handlers, where data is followed from the request. In JavaScript the severity is low,
and any check of the text counts as sufficient.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, script_file
from counterproof.analysis.config.open_sinks import installed_outline, open_sinks
from counterproof.analysis.program.open_values import OpenValues, is_asked_about
from counterproof.analysis.program.outline import Site
from counterproof.analysis.program.raw_values import PLAIN, RawValues
from counterproof.analysis.program.routes import handles_route
from counterproof.analysis.program.traversal import positional
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Language, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Index, Name

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
            if _means_to(site, given, _RUNNING) or handles_route(site.function)
            else RawValues(outline, site, PLAIN - {"code"} | _CODE).raw(given)
        )
        if found:
            yield bad(site, "evaluated text", f"{found} is run as code", Confidence.MEDIUM)
        else:
            yield good(site, "evaluated text", "built by the program, or meant to be run")


def _means_to(site: Site[Call], given: Expr, running: frozenset[str]) -> bool:
    """Return True if the function's name says that it runs code and it runs a whole parameter, not a field of it."""
    named = site.function is not None and bool(set(words(site.function.qualified.rpartition(".")[2])) & running)
    return named and not isinstance(given, Attribute | Index)


RULE = CheckRule(
    title="Code injection through a caller's argument",
    kind="code",
    cwe=95,
    severity=Severity.MEDIUM,
    shape=Shape.FLOW,
    impact=Impact.FULL,
    consequence="Anyone who chooses the text can run code.",
    remedy="Read the value with ast.literal_eval or a parser of your own.",
    check=_check,
    query="eval and exec",
)


_SCRIPT_RUNNING = vocabulary("eval exec execute evaluate interpreter repl sandbox worker bootstrap polyfill")
_PROGRAM = vocabulary("code script program source src compiled bundle module count length")


def _check_script(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    if outline is None:
        return
    for site, given in open_sinks(outline, "code-execution", Language.JAVASCRIPT):
        written = outline.behind(site.function, given)
        found = OpenValues(outline, site, _PROGRAM).raw(written)
        if not found or _means_to(site, written, _SCRIPT_RUNNING) or is_asked_about(outline, site, given, written):
            yield good(site, "evaluated text", "built by the program, checked, or meant to be run")
        else:
            yield bad(site, "evaluated text", f"{found} is run as code", Confidence.MEDIUM)


SCRIPTS = RULE.in_scripts(
    CheckRule,
    cwe=94,
    severity=Severity.LOW,
    remedy="Parse the allowed forms of the text, or choose among functions by name.",
    check=_check_script,
    applies=script_file,
    query="texts that are run as programs",
)
