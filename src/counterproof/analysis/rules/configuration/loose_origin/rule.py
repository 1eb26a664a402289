"""Origin of a request compared by a part of it.

## What it finds
An origin or a referrer that only has to contain, begin with or end with the name of a site, or to match a pattern that is open at
one end.

## Why it matters
`https://example.com.attacker.net` begins with `https://example.com`, `https://attackerexample.com` ends with `example.com`, and
both contain it. Whoever owns such a name passes for the site itself.

## What is safe
Comparing whole origins, or whole host names after parsing; an ending that starts with a dot.

## Limits
Low by nature: what the answer protects is not followed. What is an origin is told by its name.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.outline.text_tests import END, INSIDE, PATTERN, START, WHOLE, TextTest, text_tests, unquoted
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Concat, Format, Name
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_ORIGINS = vocabulary("origin referer referrer")
_ABOUT = re.compile(r"access-control|\bcors|allowed_?origin|trusted_?origin|postmessage|\breferr?er\b|csrf", re.IGNORECASE)
"""Files in which an origin is that of a request, and no repository or corner of a picture."""
_SITE = re.compile(r"(?:(?:https?|wss?)://)?(?:[\w-]{1,60}\.){0,6}[\w-]{1,60}")
_NAMED = re.compile(r"[\w-]\.[a-z]{2,10}\b|localhost", re.IGNORECASE)


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if not _ABOUT.search(text) or (script_file(path) and is_packed(text)):
        return
    outline = script_outline(project, path) if script_file(path) else opened(project, path)[1]
    for test in text_tests(outline):
        if test.site.function is None or not set(words(test.name)) & _ORIGINS or words(test.name)[-1] in ("origins", "list"):
            continue
        if test.how != WHOLE and _is_loose(test):
            yield bad(test.site, "origin", "a part of the origin is compared", Confidence.MEDIUM)
        else:
            yield good(test.site, "origin", "whole names are compared")


def _is_loose(test: TextTest) -> bool:
    if test.how == PATTERN:
        return any(_is_open(unquoted(each)) for each in test.texts)
    if test.texts:
        return any(_passes_others(test.how, each) for each in test.texts)
    if isinstance(test.sought, Format | Concat):
        return test.how == INSIDE or (test.how == END and not (text_of(test.sought.parts[0]) or "").startswith((".", "/", "@")))
    return isinstance(test.sought, Name | Attribute)


def _is_open(pattern: str) -> bool:
    """A pattern that names a site and lets more stand before or behind it."""
    return bool(_NAMED.search(pattern)) and not (pattern.startswith("^") and pattern.endswith(("$", ")", "/")))


def _passes_others(how: str, text: str) -> bool:
    if not _SITE.fullmatch(text) or not _NAMED.search(text):
        return False
    return how in (INSIDE, START) or (how == END and not text.startswith("."))


RULE = CheckRule(
    RuleInfo(
        id="loose-origin",
        title="Origin check can be bypassed",
        dimension=Dimension.D7,
        kind="origin",
        cwe=346,
        severity=Severity.LOW,
        impact=Impact.PARTIAL,
        consequence="A site whose name holds the name of a trusted one passes for it.",
        remedy="Compare whole origins, or the parsed host name, with a list.",
    ),
    _check,
    lambda path: python_file(path) or script_file(path),
    query="comparisons of the origin of a request",
)
