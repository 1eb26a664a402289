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

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, argument
from counterproof.analysis.ruleset import CheckRule, Impact, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Const
from counterproof.analysis.syntax.walk import walk

_DEFAULTS = {"os.mkdir": 0o777, "os.makedirs": 0o777, "os.open": 0o666}
_WRITABLE, _STICKY = 0o002, 0o1000
_DECIMAL = frozenset({400, 440, 444, 500, 550, 555, 600, 640, 644, 660, 664, 666, 700, 711, 744, 750, 755, 770, 775, 777})
"""What people write when they mean the octal number of these digits."""


def _lifts_mask(at: Place) -> bool:
    """`os.umask(0)`; who keeps the old mask sets it again."""
    kept = any(each.node.value is at.call for each in at.outline.of(Assign))
    return isinstance(at.value, Const) and at.value.value == 0 and not kept


def _is_decimal(at: Place) -> bool:
    """Whether the number stands in the code with these very digits."""
    number = at.value.value if isinstance(at.value, Const) and isinstance(at.value.value, int) else None
    line = at.project.line(at.outline.path, at.value.line) if at.value is not None else ""
    return number in _DECIMAL and re.search(rf"(?<![\w.]){number}(?![\w.])", line) is not None


def _is_open(at: Place) -> bool:
    """What a new file gets anyway, while the mask of the process is in force, opens nothing."""
    if isinstance(at.value, Const) and isinstance(at.value.value, int):
        masked = not any(each.scope == at.site.scope and _is_nothing(each.node) for each in at.outline.calls_of("umask"))
        usual = masked and _DEFAULTS.get(at.name) == at.value.value
        return bool(at.value.value & _WRITABLE) and not at.value.value & _STICKY and not usual
    named = {at.dotted(each) for each in walk(at.value) if isinstance(each, Attribute)} if at.value is not None else set[str]()
    return bool(named & {"stat.S_IWOTH", "stat.S_IRWXO"}) and "stat.S_ISVTX" not in named


def _is_nothing(call: Call) -> bool:
    given = call.arguments[0].value if call.arguments else None
    return isinstance(given, Const) and given.value == 0


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
        Calls(tuple(f"os.{name}" for name in ("chmod", "fchmod", "lchmod", "mkdir", "makedirs")), argument(1, "mode")),
        Calls(("os.open",), argument(2, "mode")),
        Calls(
            ("*.chmod",), argument(0, "mode"), lambda at: isinstance(at.call.callee, Attribute) and len(at.call.arguments) == 1
        ),
        bad=(Bad(_is_decimal, "a decimal number where an octal one is meant"), Bad(_is_open, "everybody may write")),
        good="not everybody may write, or not known here",
        item="rights",
    ),
    query="rights of files and folders",
)
