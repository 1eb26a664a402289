"""Incomplete escaping.

## What it finds
Code that puts a backslash before quotation marks without escaping backslashes, and, in JavaScript, a `replace` that changes
only the first occurrence of a character.

## Why it matters
A backslash in the input cancels the added one, so the quotation mark ends the string after all. If only the first occurrence
is replaced, the second remains unescaped.

## What is safe
Escaping the backslash first, before the quotation marks; `replaceAll` or a pattern with the flag `g`; a function of the
format's own library, such as `JSON.stringify`.

## Limits
Severity is low: neither the origin of the text nor its use is followed. A backslash escaped anywhere in the function counts
as sufficient. Test code is skipped.
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
    """Return the backslash if this replacement doubles backslashes."""
    return _BACKSLASH if each.by.startswith("\\\\") or (_BACKSLASH in each.plain and each.by) else ""


RULE = CheckRule(
    title="Incomplete escaping: backslashes or later occurrences left unescaped",
    kind="html",
    cwe=116,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    consequence=(
        "Input with a backslash, or with several quotation marks, ends the string it is inserted into and continues as code."
    ),
    remedy="Escape the backslash first and then every quotation mark, or use the format's library.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="quotation marks and brackets that are replaced",
)
