"""Markup cleaned by taking tags out of the text.

## What it finds
Tags, event attributes or `javascript:` that are taken out of a text with a pattern or a plain text, in a function that knows no
parser of HTML; and the end tag of a script that is made harmless only in small letters.

## Why it matters
Browsers read what no pattern expects: tags that do not end, other letters, attributes with slashes between them. What is left
after taking out can be what was taken out: `<scr<script>ipt>`.

## What is safe
Escaping the text, or a cleaner that parses it (`DOMPurify`, `nh3`, `bleach`).

## Limits
Low by nature: whether the text becomes a page is not followed. Patterns that take every tag out only to measure, search or
shorten are left out by the function's name.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, opened, python_file, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.replacements import Replacement, replacements
from counterproof.analysis.outline.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity, Shape

_DANGEROUS = re.compile(
    r"<[\\/?(\s]{0,6}(?:script|iframe|style|svg)|javascript[:\\\[(]|(?:\\s[+*]?|\b)on(?:\\w|\[a-z|error|load|click)",
    re.IGNORECASE,
)
_END = re.compile(r"</script")
_ANY_CASE = re.compile(r"script[^/\n]{0,60}/[a-z]{0,4}i|IGNORECASE|\bre\.I\b|\(\?i")
"""A pattern on a line that does not mind the case of letters, as browsers do not."""
_PLAIN = vocabulary("count length summary excerpt search index words text title slug preview shorten truncate ansi log")
_PARSING = vocabulary("purify sanitizer") | {
    name.partition(".")[0].lower() for name in names("sanitiser", "html", None) if "clean" in name or "sanit" in name
}


def _check(project: Project, path: str) -> Iterator[Match]:
    scripts = script_file(path)
    text = project.text(path)
    if not _DANGEROUS.search(text) or (scripts and is_packed(text)):
        return
    outline = script_outline(project, path) if scripts else opened(project, path)[1]
    for each in replacements(outline, scripts=scripts):
        if _takes_tags_out(each) and not _is_harmless(each):
            yield bad(each.site, "markup", "what runs is taken out with a pattern", Confidence.MEDIUM)
        elif _END.search(each.plain) and each.by and not _ANY_CASE.search(project.line(path, each.site.line)):
            yield bad(each.site, "markup", "</SCRIPT> ends a script too", Confidence.MEDIUM)


def _takes_tags_out(each: Replacement) -> bool:
    return each.by.strip() in ("", "$1", r"\1", "_", "#") and bool(_DANGEROUS.search(each.plain))


def _is_harmless(each: Replacement) -> bool:
    function = each.site.function
    if function is None:
        return True
    return bool(set(words(function.qualified.rpartition(".")[2])) & _PLAIN) or bool(words_in(*function.body) & _PARSING)


RULE = CheckRule(
    title="Cross-site scripting (XSS): tags stripped with a pattern",
    kind="html",
    cwe=79,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    consequence="A text that the pattern does not expect runs a script in the browser of those who see it.",
    remedy="Escape the text, or clean it with a library that parses HTML.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="tags and schemes that are taken out of texts",
)
