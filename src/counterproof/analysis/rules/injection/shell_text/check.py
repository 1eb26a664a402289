"""The check of `shell-text`."""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.config.open_sinks import open_sinks
from counterproof.analysis.program.interpolation import interpolated
from counterproof.analysis.program.open_values import MAX_HOPS, OpenValues, questions_about
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.raw_values import PLAIN, RawValues
from counterproof.analysis.program.traversal import called, positional, text_of
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Language, Match
from counterproof.analysis.syntax import ir

_WRAPPERS = (
    "subprocess_call", "subprocess_get", "exec_cmd", "run_cmd", "runcmd", "execute_cmd", "execute_command", "shell_exec",
    "call_shell", "run_shell", "run_in_shell", "exec_shell", "shell_call", "sudo",
)  # fmt: skip
"""Function names common in many projects that run their argument as a command."""
_PROGRAM = re.compile(r"\s{0,20}[a-z/\x00][\w./\x00-]{0,60}\s")
"""A command starts with a program name."""
_SCRIPT = re.compile(r"#! {0,3}/(?:usr/)?bin/(?:env )?(?:ba|da|z|k)?sh\b")
"""First line of a script that a shell runs."""
_SEVERAL_WORDS = vocabulary("flags options opts args arguments params extra")
"""Name words of values that consist of several command-line arguments and so cannot be quoted."""
_PLACE = re.compile(r"%\w|[$%{<\[]{1,2}\w{1,30}[}>%\])]{0,2}")
"""`%u`, `{name}`, `$NAME`: a placeholder in a command."""


def check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    told: set[int] = set()
    for site, command in (*open_sinks(outline, "command-execution", Language.PYTHON), *_by_name(outline)):
        if id(site.node) not in told:
            told.add(id(site.node))
            yield _judged(site, _raw(outline, site, command))


def _judged(site: Site[ir.Call], found: str) -> Match:
    if found:
        return bad(site, "shell command", f"built with {found} unquoted", Confidence.MEDIUM)
    return good(site, "shell command", "fixed, quoted, or made elsewhere")


def _by_name(outline: Outline) -> Iterator[tuple[Site[ir.Call], ir.Expr]]:
    """Scripts that are written to files, and arguments of project functions whose name says that they run commands."""
    for name in ("write", "write_text"):
        for site in outline.calls_of(name):
            given = positional(site.node, 0)
            built = interpolated(given) if given is not None else None
            if given is not None and built is not None and _SCRIPT.match(built.text):
                yield site, given
    for name in _WRAPPERS:
        for site in outline.calls_of(name):
            texts = (each.value for each in site.node.arguments[:3])
            yield from ((site, each) for each in texts if isinstance(each, ir.Name | ir.Format | ir.Binary | ir.Concat))


def _raw(outline: Outline, site: Site[ir.Call], command: ir.Expr) -> str:
    """The first unquoted value in the command. A command passed in whole is the caller's choice."""
    values = RawValues(outline, site, PLAIN | _SEVERAL_WORDS)
    for part in _pieces(outline, site, command):
        built = interpolated(part)
        started = part is not command or built is None or _PROGRAM.match(built.text) or _SCRIPT.match(built.text)
        found = next((name for each in built.values if (name := values.raw(each))), "") if built is not None and started else ""
        found = found or _filled(values, part)
        if found:
            return found
    return ""


def _filled(values: RawValues, part: ir.Expr) -> str:
    """`hook.replace("%u", user.name)`: the value that replaces a placeholder in a configured command."""
    if isinstance(part, ir.Conditional):
        return _filled(values, part.then) or _filled(values, part.other)
    if not isinstance(part, ir.Call) or called(part) != "replace" or len(part.arguments) != 2:
        return ""
    place, given = text_of(part.arguments[0].value), part.arguments[1].value
    return values.raw(given) if place is not None and _PLACE.fullmatch(place) else ""


def _pieces(outline: Outline, site: Site[ir.Call], command: ir.Expr) -> list[ir.Expr]:
    """The command itself or, for a variable, its last assigned value and everything appended since."""
    if not isinstance(command, ir.Name) or site.function is None:
        return [command]
    settings = [each for each in outline.settings_of(command.id) if each.function is site.function and each.line < site.line]
    start = max((each.line for each in settings if isinstance(each.node, ir.Assign)), default=0)
    return [each.node.value for each in settings if each.node.value is not None and each.line >= start]


def check_script(project: Project, path: str) -> Iterator[Match]:
    if is_packed(project.text(path)):
        return
    outline = script_outline(project, path)
    for site, given in open_sinks(outline, "command-execution", Language.JAVASCRIPT):
        yield _judged(site, _script_raw(outline, site, given))


def _put_in(outline: Outline, site: Site[ir.Call], given: ir.Expr, hops: int = 0) -> Iterator[ir.Expr]:
    """The values inserted into a string or list; for a variable, the values assigned and appended. A command passed in whole is
    the caller's choice."""
    built = interpolated(given)
    if built is not None:
        yield from built.values
    elif isinstance(given, ir.Sequence):
        yield from given.items
    elif isinstance(given, ir.Call) and called(given) == "join" and isinstance(given.callee, ir.Attribute):
        listed = given.callee.value
        yield from _put_in(outline, site, listed, hops)
        yield from outline.appended(site.function, listed.id) if isinstance(listed, ir.Name) else ()
    elif isinstance(given, ir.Name) and hops < MAX_HOPS:
        settings = (each for each in outline.settings_of(given.id) if each.function is site.function is not None)
        for each in settings:
            if each.node.value is not None and each.line <= site.end:
                yield from _put_in(outline, site, each.node.value, hops + 1)


def _script_raw(outline: Outline, site: Site[ir.Call], given: ir.Expr) -> str:
    """The first unquoted value in the command that the function neither compares with anything nor passes to a check."""
    values = OpenValues(outline, site, PLAIN)
    named = ((each, name) for each in _put_in(outline, site, given) if (name := values.raw(each)))
    return next((name for each, name in named if not _is_tested(outline, site.function, each)), "")


def _is_tested(outline: Outline, function: ir.Function | None, value: ir.Expr) -> bool:
    return any(isinstance(each, ir.Call) for each in questions_about(outline, function, value))
