"""Escaping that leaves a way out.

## What it finds
A quotation mark that gets a backslash in front of it where no backslash does, and, in scripts, a mark that is replaced only where
it first stands.

## Why it matters
A backslash that the text brings along takes the added one's meaning away, so that the quotation mark ends the text after all. Of
two marks the second stays as it is.

## What is safe
Escaping the backslash too, before the quotation marks; `replaceAll` or a pattern with the flag `g`; a function of the format's
own library, such as `JSON.stringify`.

## Limits
Low by nature: what the text is put into, and who chose it, is not followed. A backslash that is escaped anywhere in the function
counts. Texts of tests are left out.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.program.replacements import Replacement, replacements
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity, Shape

_QUOTES = ('"', "'", "`")
_MARKS = frozenset("<>&\"'`")
_BACKSLASH = "\\"


def _check(project: Project, path: str) -> Iterator[Match]:
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
    """A backslash where backslashes are doubled here."""
    return _BACKSLASH if each.by.startswith("\\\\") or (_BACKSLASH in each.plain and each.by) else ""


RULE = CheckRule(
    title="Improper escaping: backslashes or later marks left as they are",
    kind="html",
    cwe=116,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    consequence="A text with a backslash or with several marks ends what it was put into, and goes on behind it.",
    remedy="Escape the backslash first and every mark, or let the library of the format do it.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="quotation marks and brackets that are replaced",
)
