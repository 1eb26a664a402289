"""File or folder that everybody on the machine may change.

## What it finds
`os.chmod` and its like, `Path.chmod`, `os.mkdir`, `os.makedirs` and `os.open` with rights to write for everybody, `os.umask(0)`,
and rights that are written as a decimal number (`755` for `0o755`), which are quite other ones.

## Why it matters
Another user of the machine replaces the file, or puts files of their own into the folder, and the program uses them.

## What is safe
Rights for the owner alone (`0o600`, `0o700`), or for a group; a new folder with `0o777`, which is the default, less what the
mask of the process takes away.

## Limits
Rights that are worked out at run time are not judged. Folders with the sticky bit, as shared folders for temporary files have,
are left out.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Const, Expr
from counterproof.analysis.syntax.walk import walk

_MODES = {"os.chmod": 1, "os.fchmod": 1, "os.lchmod": 1, "os.mkdir": 1, "os.makedirs": 1, "os.open": 2}
_DEFAULTS = {"os.mkdir": 0o777, "os.makedirs": 0o777, "os.open": 0o666}
_WRITABLE, _STICKY = 0o002, 0o1000
_DECIMAL = frozenset({400, 440, 444, 500, 550, 555, 600, 640, 644, 660, 664, 666, 700, 711, 744, 750, 755, 770, 775, 777})
"""What people write when they mean the octal number of these digits."""


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    lifted = {each.scope for each in outline.calls_of("umask") if _is_nothing(each.node)}
    kept = {id(site.node.value) for site in outline.of(Assign)}  # who keeps the old mask sets it again
    for site in outline.of(Call):
        if outline.dotted(site.node.callee) == "os.umask":
            mask = argument(site.node, 0, "mask")
            if isinstance(mask, Const) and mask.value == 0 and id(site.node) not in kept:
                yield bad(site, "mask", "new files are open to everybody")
            continue
        given = _mode(outline, site.node)
        if given is None:
            continue
        wide = _everybody(outline, given)
        if _is_decimal(project.line(path, given.line), given):
            yield bad(site, "rights", "a decimal number where an octal one is meant")
            continue
        if wide and site.scope not in lifted and _is_default(outline, site, given):
            yield good(site, "rights", "what it gets anyway, less what the mask of the process takes")
            continue
        if wide is not None:
            yield bad(site, "rights", "everybody may write") if wide else good(site, "rights", "not everybody may write")


def _mode(outline: Outline, call: Call) -> Expr | None:
    position = _MODES.get(outline.dotted(call.callee))
    if position is None and isinstance(call.callee, Attribute) and call.callee.name == "chmod" and len(call.arguments) == 1:
        position = 0
    return argument(call, position, "mode") if position is not None else None


def _is_nothing(call: Call) -> bool:
    """`os.umask(0)`."""
    given = call.arguments[0].value if call.arguments else None
    return isinstance(given, Const) and given.value == 0


def _is_decimal(line: str, given: Expr) -> bool:
    """Whether the number stands in the code with these very digits."""
    number = given.value if isinstance(given, Const) and isinstance(given.value, int) else None
    return number in _DECIMAL and re.search(rf"(?<![\w.]){number}(?![\w.])", line) is not None


def _is_default(outline: Outline, site: Site[Call], given: Expr) -> bool:
    """`os.makedirs(path, 0o777)` says what it would do by itself, while the mask is in force."""
    usual = _DEFAULTS.get(outline.dotted(site.node.callee))
    return usual is not None and isinstance(given, Const) and given.value == usual


def _everybody(outline: Outline, given: Expr) -> bool | None:
    if isinstance(given, Const) and isinstance(given.value, int) and not isinstance(given.value, bool):
        return bool(given.value & _WRITABLE) and not given.value & _STICKY
    names = {outline.dotted(each) for each in walk(given) if isinstance(each, Attribute)}
    if not any(name.startswith("stat.S_") for name in names):
        return None
    return bool(names & {"stat.S_IWOTH", "stat.S_IRWXO"}) and "stat.S_ISVTX" not in names


RULE = CheckRule(
    title="World-writable file or folder",
    kind="permissions",
    cwe=732,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="Another user of the machine can replace what the program reads or runs.",
    remedy="Restrict permissions to the owner: 0o600 for files, 0o700 for folders.",
    check=_check,
    query="rights of files and folders",
)
