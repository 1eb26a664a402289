"""OS command injection: shell command built from a caller's values, in JavaScript and TypeScript.

## What it finds
The text that `exec` or `execSync` hands to a shell, with a parameter, a field or an entry put in as it is.

## Why it matters
Whoever chooses the value (a file name, an address, a version) adds commands of their own.

## What is safe
`execFile` and `spawn` with a list of arguments and no shell; quoting; numbers; values that the program sets itself.

## Limits
Low by nature: where the value comes from in the end is not followed here; `javascript-command-injection` tells what a request, a
tool or the caller of a published package reaches.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.config.open_sinks import open_sinks
from counterproof.analysis.outline.interpolation import interpolated
from counterproof.analysis.outline.open_values import MAX_HOPS, OpenValues, called
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.raw_values import PLAIN
from counterproof.analysis.outline.traversal import calls_in, positional
from counterproof.analysis.outline.words import names_in, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Function, Name, Sequence
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity
from counterproof.model.survey import Language

_RUNNING = frozenset({"exec", "execSync", "execAsync", "execPromise", "execShellCommand"})
_MODULE = "child_process"
_CHECKING = vocabulary("check valid validate is assert ensure sanitize sanitise escape quote safe allowed")


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if _MODULE not in text or is_packed(text):
        return
    outline = script_outline(project, path)
    for site, given in _commands(outline):
        if (found := _raw(outline, site, given)) and not _is_tested(site.function, found):
            yield bad(site, "command", f"made with {found} in it as it is", Confidence.MEDIUM)
        else:
            yield good(site, "command", "fixed, quoted, or made of what the program sets")


def _commands(outline: Outline) -> Iterator[tuple[Site[Call], Expr]]:
    """Texts that a shell gets, by what the libraries say and by names that say so."""
    told: set[int] = set()
    for site, given in open_sinks(outline, "command-execution", Language.JAVASCRIPT):
        told.add(id(given))
        yield site, given
    for site in outline.of(Call):
        given = positional(site.node, 0) if _runs_shell(outline, site.node) else None
        if given is not None and id(given) not in told:
            yield site, given


def _runs_shell(outline: Outline, call: Call) -> bool:
    """`exec(text)` of the module, under any name that says so; `pattern.exec(text)` is something else."""
    dotted = outline.dotted(call.callee)
    module, _, name = dotted.rpartition(".")
    return name in _RUNNING and (isinstance(call.callee, Name) or module.rpartition(":")[2] in (_MODULE, "cp", "childProcess"))


def _is_tested(function: Function | None, name: str) -> bool:
    """Whether the function holds the value against a pattern or a list, or hands it to something that says it checks."""
    for call in calls_in(*function.body) if function is not None else ():
        asked = called(call) in ("match", "test", "includes") or set(words(called(call))) & _CHECKING
        if name in names_in(call) and asked:
            return True
    return False


def _put_in(outline: Outline, site: Site[Call], given: Expr, hops: int = 0) -> Iterator[Expr]:
    """The values in a text or a list; of a variable, what the function has put into it and added. A command that is passed in
    whole is the caller's own."""
    built = interpolated(given)
    if built is not None:
        yield from built.values
    elif isinstance(given, Sequence):
        yield from given.items
    elif isinstance(given, Call) and called(given) == "join" and isinstance(given.callee, Attribute):
        listed = given.callee.value
        yield from _put_in(outline, site, listed, hops)
        yield from outline.appended(site.function, listed.id) if isinstance(listed, Name) else ()
    elif isinstance(given, Name) and hops < MAX_HOPS:
        settings = (each for each in outline.settings_of(given.id) if each.function is site.function is not None)
        for each in settings:
            if each.node.value is not None and each.line <= site.end:
                yield from _put_in(outline, site, each.node.value, hops + 1)


def _raw(outline: Outline, site: Site[Call], given: Expr) -> str:
    """The first value in the command as it is."""
    values = OpenValues(outline, site, PLAIN)
    return next((name for each in _put_in(outline, site, given) if (name := values.raw(each))), "")


RULE = CheckRule(
    RuleInfo(
        id="javascript-shell-text",
        title="OS command injection: shell command built from a caller's values",
        dimension=Dimension.D1,
        kind="shell",
        cwe=78,
        severity=Severity.LOW,
        shape=Shape.FLOW,
        impact=Impact.FULL,
        consequence="Whoever chooses the value can run programs with the rights of this one.",
        remedy="Call the program with execFile or spawn, a list of arguments and no shell.",
    ),
    _check,
    script_file,
    query="commands that a shell is given",
)
