"""The check of `half-escaped`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.program.replacements import Replacement, replacements
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Match

_QUOTES = ('"', "'", "`")
_MARKS = frozenset("<>&\"'`")
_BACKSLASH = "\\"


def check(project: Project, path: str) -> Iterator[Match]:
    scripts = script_file(path)
    if scripts and is_packed(project.text(path)):
        return
    outline = script_outline(project, path) if scripts else opened(project, path)[1]
    found = list(replacements(outline, scripts=scripts))
    careful = {
        each.site.scope for each in found if _BACKSLASH in each.what.replace("\\\\", "\x00").strip("\x00") + _doubled(each)
    }
    for each in found:
        if each.plain in _QUOTES and each.by in (_BACKSLASH + each.plain, "\\$&"):
            if each.site.scope not in careful:
                yield bad(each.site, "escaping", f"{each.plain} is escaped, and the backslash is not", Confidence.MEDIUM)
            else:
                yield good(each.site, "escaping", "the backslash is escaped too")
        elif each.once and not each.pattern and each.what in _MARKS and each.by not in ("", " "):
            yield bad(each.site, "escaping", f"only the first {each.what} is replaced", Confidence.MEDIUM)


def _doubled(each: Replacement) -> str:
    """Return the backslash if this replacement doubles backslashes."""
    return _BACKSLASH if each.by.startswith("\\\\") or (_BACKSLASH in each.plain and each.by) else ""
