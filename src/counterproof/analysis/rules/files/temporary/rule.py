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
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, positional, text_of
from counterproof.analysis.program.words import names_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Call, Expr, Name

_NAMING = names("code", "temporary-name")
_FIXED = re.compile(r"/(?:var/)?tmp/[\w.-]{1,100}(?:/[\w./-]{0,200})?")
_OWNERSHIP = frozenset({"st_uid", "getuid", "lstat", "mkdtemp", "O_EXCL", "chown"})
_MAKING = names("code", "temporary-file")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        name = outline.dotted(site.node.callee)
        if name in _NAMING:
            yield bad(site, "temporary file", f"{name} gives a name and makes no file")
        elif name in _MAKING:
            yield good(site, "temporary file", "made together with its name")
        elif (target := _made(name, site.node)) is not None and _shared(outline, site, target) and not _careful(site):
            yield bad(site, "temporary file", "under a fixed name in a shared folder anybody can be first", Confidence.MEDIUM)


def _made(name: str, call: Call) -> Expr | None:
    """The folder that is made or the file that is written, not one that must be new. Of files only those that the program puts
    where the machine says: a literal path is what scripts of developers have."""
    if name in ("os.mkdir", "os.makedirs"):
        return positional(call, 0)
    mode = text_of(argument(call, 1, "mode")) if name in ("open", "io.open", "codecs.open") else None
    target = positional(call, 0) if mode is not None and mode[:1] in ("w", "a") else None
    return None if text_of(target) is not None else target


def _shared(outline: Outline, site: Site[Call], target: Expr) -> bool:
    """`/tmp/name`, `os.path.join(tempfile.gettempdir(), "name")`, on the spot or in a variable that the function sets once."""
    if isinstance(target, Name):
        settings = [each.node for each in outline.settings_of(target.id) if each.function is site.function is not None]
        value = settings[0].value if len(settings) == 1 else None
        return value is not None and not isinstance(value, Name) and _shared(outline, site, value)
    text = text_of(target)
    if text is not None:
        return bool(_FIXED.fullmatch(text))
    if not isinstance(target, Call) or outline.dotted(target.callee) != "os.path.join" or len(target.arguments) < 2:
        return False
    first, *rest = (each.value for each in target.arguments)
    below = isinstance(first, Call) and outline.dotted(first.callee) == "tempfile.gettempdir"
    return below and all(text_of(each) is not None for each in rest)


def _careful(site: Site[Call]) -> bool:
    return site.function is not None and bool(set(names_in(*site.function.body)) & _OWNERSHIP)


RULE = CheckRule(
    id="temporary-file",
    title="Insecure temporary file",
    kind="temporary",
    cwe=377,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="Another user of the machine can plant a file or a link under the predictable name.",
    remedy="Use tempfile.NamedTemporaryFile or mkstemp, which make the file themselves.",
    check=_check,
    query="calls that name or make temporary files",
)
