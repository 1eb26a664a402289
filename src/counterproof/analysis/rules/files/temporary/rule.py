"""Temporary file whose name others know before the file is made.

## What it finds
`tempfile.mktemp`, `os.tempnam` and `os.tmpnam`, which only give a name; and folders that are made, or files that are written
below `tempfile.gettempdir()`, under a fixed name where all users share the folder for temporary files.

## Why it matters
Between the choice of the name and the making of the file another user of the machine can put a file or a link there, and so
read what is written or have other files overwritten.

## What is safe
`tempfile.NamedTemporaryFile`, `mkstemp`, `TemporaryDirectory`, which make the file themselves.

## Limits
Names with something in them that is not known, and functions that look at who owns what they find, are not judged.
"""

import re

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, always
from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import argument, positional, text_of
from counterproof.analysis.program.words import names_in
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Severity
from counterproof.analysis.syntax.ir import Call, Expr, Name

_FIXED = re.compile(r"/(?:var/)?tmp/[\w.-]{1,100}(?:/[\w./-]{0,200})?")
_OWNERSHIP = frozenset({"st_uid", "getuid", "lstat", "mkdtemp", "O_EXCL", "chown"})


def _written(at: Place) -> Expr | None:
    """The file that is written, not one that must be new, where the program puts it where the machine says: a literal path is
    what scripts of developers have."""
    target = positional(at.call, 0) if (text_of(argument(at.call, 1, "mode")) or "")[:1] in ("w", "a") else None
    return None if text_of(target) is not None else target


def _is_shared(at: Place, target: Expr | None = None) -> bool:
    """`/tmp/name`, `os.path.join(tempfile.gettempdir(), "name")`, on the spot or in a variable that the function sets once."""
    target = target or at.value
    if isinstance(target, Name):
        settings = [each.node for each in at.outline.settings_of(target.id) if each.function is at.function is not None]
        value = settings[0].value if len(settings) == 1 else None
        return value is not None and not isinstance(value, Name) and _is_shared(at, value)
    text = text_of(target)
    if text is not None:
        return bool(_FIXED.fullmatch(text))
    if not isinstance(target, Call) or at.dotted(target.callee) != "os.path.join" or len(target.arguments) < 2:
        return False
    first, *rest = (each.value for each in target.arguments)
    below = isinstance(first, Call) and at.dotted(first.callee) == "tempfile.gettempdir"
    return below and all(text_of(each) is not None for each in rest)


def _is_first_come(at: Place) -> bool:
    return _is_shared(at) and at.function is not None and not set(names_in(*at.function.body)) & _OWNERSHIP


_SHARED = Bad(_is_first_come, "under a fixed name in a shared folder anybody can be first", Confidence.MEDIUM)


RULE = CheckRule(
    id="temporary-file",
    title="Insecure temporary file",
    kind="temporary",
    cwe=377,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="Another user of the machine can plant a file or a link under the predictable name.",
    remedy="Use tempfile.NamedTemporaryFile or mkstemp, which make the file themselves.",
    check=Matching(
        Calls(names("code", "temporary-name"), bad=Bad(always, "{name} gives a name and makes no file")),
        Calls(names("code", "temporary-file"), good="made together with its name"),
        Calls(("os.mkdir", "os.makedirs"), lambda at: positional(at.call, 0), bad=_SHARED),
        Calls(("open", "io.open", "codecs.open"), _written, bad=_SHARED),
        item="temporary file",
    ),
    query="calls that name or make temporary files",
)
