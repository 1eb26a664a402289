"""The check of `evaluated-text`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.open_sinks import installed_outline, open_sinks
from counterproof.analysis.program.open_values import OpenValues, is_asked_about
from counterproof.analysis.program.outline import Site
from counterproof.analysis.program.raw_values import PLAIN, RawValues
from counterproof.analysis.program.routes import handles_route
from counterproof.analysis.program.traversal import positional
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Language, Match
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Index, Name

_CODE = vocabulary("code codeobj compiled bytecode co source script src program ast tree node module statement stmt")
_RUNNING = vocabulary("eval exec execute run compile evaluate interpreter console repl shell runsource debug debugger")


def check(project: Project, path: str) -> Iterator[Match]:
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


_SCRIPT_RUNNING = vocabulary("eval exec execute evaluate interpreter repl sandbox worker bootstrap polyfill")
_PROGRAM = vocabulary("code script program source src compiled bundle module count length")


def check_script(project: Project, path: str) -> Iterator[Match]:
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
