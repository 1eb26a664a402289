"""Private file made for everybody to read, and closed to them afterwards.

## What it finds
A file that a function opens for writing and whose rights it then takes back to the owner alone with `chmod`.

## Why it matters
Between the two calls, and for whoever opened it in between much longer, the file has the rights that the system gives new files:
as a rule everybody may read it. Private keys and credentials have leaked so.

## What is safe
`os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)`, an `opener`, a umask set before, and files that `tempfile` makes.

## Limits
Only a path that both calls name alike in one function is seen.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, opened
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.traversal import argument, keyword, positional, text_of
from counterproof.analysis.outline.words import names_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Const, Expr, Function, Name
from counterproof.analysis.syntax.walk import walk

_OTHERS = 0o077
_OWNER = frozenset(names("code", "owner-permission"))
_NAMED = re.compile(r"(?:\w*_)?o?0?[46]00")
"""Constants that older code keeps for both spellings of octal numbers: `o600`."""
_MASKING = frozenset({"umask", "fchmod", "O_CREAT"})
"""What a function does that makes files for their owner alone."""
_MAKING = frozenset({"mkstemp", "NamedTemporaryFile", "mkdtemp"})
"""Calls that give the name of such a file."""


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    closed: dict[str, list[tuple[int, str]]] = {}
    for site in outline.of(Call):
        target = positional(site.node, 0) if outline.dotted(site.node.callee) == "os.chmod" else None
        mode = argument(site.node, 1, "mode")
        if site.function is not None and target is not None and mode is not None and _is_private(outline, mode):
            closed.setdefault(site.scope, []).append((site.line, outline.dotted(target)))
    for site in outline.of(Call) if closed else ():
        name = _written(outline, site)
        after = any(line >= site.line and each == name for line, each in closed.get(site.scope, ()))
        if name and after and site.function is not None and not _is_closed_before(outline, site.function, name):
            yield bad(site, "rights", "made with the rights of any new file, and closed to others later", Confidence.MEDIUM)


def _is_closed_before(outline: Outline, function: Function, path: str) -> bool:
    """Whether the file cannot be anybody else's: by a mask, or because its name is that of a temporary file."""
    settings = outline.settings_of(path.rpartition(".")[2])
    made = [each.node.value for each in settings if each.function is function and each.node.value is not None]
    return bool(_MASKING & set(names_in(*function.body)) or _MAKING & set(names_in(*made)))


def _is_private(outline: Outline, mode: Expr) -> bool:
    if isinstance(mode, Const):
        return isinstance(mode.value, int) and not isinstance(mode.value, bool) and mode.value > 0 and not mode.value & _OTHERS
    if isinstance(mode, Name):
        return bool(_NAMED.fullmatch(mode.id.lower()))
    names = {outline.dotted(each) for each in walk(mode) if isinstance(each, Attribute)}
    return bool(names) and names <= _OWNER


def _written(outline: Outline, site: Site[Call]) -> str:
    """The path that `open` writes to, as it is spelled; '' for anything else."""
    target = positional(site.node, 0)
    mode = text_of(argument(site.node, 1, "mode"))
    if outline.dotted(site.node.callee) not in ("open", "io.open", "codecs.open") or target is None:
        return ""
    if mode is None or mode[:1] not in ("w", "a", "x") or keyword(site.node, "opener") is not None:
        return ""
    return outline.dotted(target)


RULE = CheckRule(
    title="File permissions restricted too late",
    kind="permissions",
    cwe=732,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="Another user of the machine can open the file before it is closed to them, and read what is written.",
    remedy="Create the file with the right mode: os.open(path, os.O_WRONLY | os.O_CREAT, 0o600).",
    check=_check,
    query="files whose rights are taken back after they were made",
)
