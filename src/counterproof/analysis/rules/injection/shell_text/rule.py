"""Shell command put together from values that were not quoted.

## What it finds
A text that a shell runs (`shell=True`, `os.system`, `os.popen`) and into which a function puts what it was given, fields of
objects or entries of mappings as they are.

## Why it matters
A name with a semicolon, a file from an archive, a branch or a host in a configuration becomes a second command.

## What is safe
A list of arguments without a shell, and `shlex.quote` around each value.

## Limits
Where the value comes from in the end is not judged. Values that are numbers by their names are left out, and commands that are
passed in whole.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.outline.interpolation import interpolated
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.raw_values import RawValues
from counterproof.analysis.outline.traversal import argument, keyword
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Call, Const, Expr, Name
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_SHELLS = (
    "os.system", "os.popen", "commands.getoutput", "commands.getstatusoutput", "subprocess.getoutput",
    "subprocess.getstatusoutput",     "asyncio.create_subprocess_shell",
)  # fmt: skip
_RUNNERS = tuple(f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen"))


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        if _is_shell(outline, site.node):
            command = argument(site.node, 0, "args") or keyword(site.node, "command") or keyword(site.node, "cmd")
            found = _raw(outline, site, command) if command is not None else ""
            if found:
                yield bad(site, "shell command", f"made with {found} in it as it is", Confidence.MEDIUM)
            else:
                yield good(site, "shell command", "fixed, quoted, or made elsewhere")


def _is_shell(outline: Outline, call: Call) -> bool:
    dotted = outline.dotted(call.callee)
    shell = keyword(call, "shell")
    return dotted in _SHELLS or (dotted in _RUNNERS and isinstance(shell, Const) and shell.value is True)


def _raw(outline: Outline, site: Site[Call], command: Expr) -> str:
    """The first value in the command as it is. A command that is passed in whole is the caller's own."""
    if isinstance(command, Name):
        assigned = outline.local(site.function, command.id)
        if assigned is None or assigned.value is None:
            return ""
        command = assigned.value
    built = interpolated(command)
    if built is None:
        return ""
    values = RawValues(outline, site)
    return next((name for each in built.values if (name := values.raw(each))), "")


RULE = CheckRule(
    RuleInfo(
        id="shell-text",
        title="Shell command put together from values that were not quoted",
        dimension=Dimension.D1,
        kind="shell",
        cwe=78,
        severity=Severity.MEDIUM,
        impact=Impact.FULL,
        consequence="Whoever chooses the value can have further commands run.",
        remedy="Pass a list of arguments without a shell, or quote each value with shlex.quote.",
    ),
    _check,
    python_file,
    query="commands that a shell runs",
)
