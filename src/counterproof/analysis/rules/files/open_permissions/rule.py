"""World-writable files and folders.

## What it finds
`os.chmod` and similar functions, `Path.chmod`, and `os.umask(0)`, with write permission for everyone.

## Why it matters
Another user of the machine can replace the file, or add files to the folder, and the program uses them.

## What is safe
Permissions for the owner only (`0o600`, `0o700`), or for a group.

## Limits
Permissions computed at run time are not checked. Folders with the sticky bit, such as shared temporary folders, are skipped.
"""

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, argument
from counterproof.analysis.ruleset import CheckRule, Impact, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Const
from counterproof.analysis.syntax.walk import walk

_WRITABLE, _STICKY = 0o002, 0o1000


def _lifts_mask(at: Place) -> bool:
    """Return True for `os.umask(0)` whose result is discarded; code that keeps the old mask restores it."""
    kept = any(each.node.value is at.call for each in at.outline.of(Assign))
    return isinstance(at.value, Const) and at.value.value == 0 and not kept


def _is_open(at: Place) -> bool:
    if isinstance(at.value, Const):
        return isinstance(at.value.value, int) and at.value.value & (_WRITABLE | _STICKY) == _WRITABLE
    named = {at.dotted(each) for each in walk(at.value) if isinstance(each, Attribute)} if at.value is not None else set[str]()
    return bool(named & {"stat.S_IWOTH", "stat.S_IRWXO"}) and "stat.S_ISVTX" not in named


RULE = CheckRule(
    title="World-writable file or folder",
    kind="permissions",
    cwe=732,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="Another user of the machine can replace what the program reads or runs.",
    remedy="Restrict permissions to the owner: 0o600 for files, 0o700 for folders.",
    check=Matching(
        Calls(("os.umask",), argument(0, "mask"), bad=Bad(_lifts_mask, "new files are open to everybody"), item="mask"),
        Calls(tuple(f"os.{name}" for name in ("chmod", "fchmod", "lchmod")), argument(1, "mode")),
        Calls(
            ("*.chmod",), argument(0, "mode"), lambda at: isinstance(at.call.callee, Attribute) and len(at.call.arguments) == 1
        ),
        bad=Bad(_is_open, "everybody may write"),
        good="not everybody may write, or not known here",
        item="rights",
    ),
    query="rights of files and folders",
)
