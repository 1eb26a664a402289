"""Addresses refused by the letters of their scheme.

## What it finds
An address that is only asked whether it begins with `javascript:`, or contains it, before it becomes a link or an attribute.

## Why it matters
Browsers drop tabs and line ends inside an address and blanks and control characters before it, and read entities in markup:
`java\\tscript:` runs as well, and so may `data:` and `vbscript:`.

## What is safe
Parsing the address and allowing schemes by a list (`http:`, `https:`, `mailto:`), or taking those characters out first.

## Limits
Low by nature: whether anybody else chooses the address, and where it goes, is not followed.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.text_tests import END, WHOLE, TextTest, text_tests
from counterproof.analysis.outline.words import vocabulary, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Const, Function
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_DENIED = re.compile(r"(?:\\s|\W){0,12}(?:\w{2,12}\|){0,6}javascript(?:\|\w{2,12}){0,6}\)?[\\s*]{0,4}:?", re.IGNORECASE)
_BLANKS = re.compile(r"\\s|\\x0|\\u00|\\t|\\r|\\n|\[\^|[\x00-\x1f]")
"""Patterns and texts that take the characters out that browsers drop."""
_PARSING = vocabulary("urlparse urlsplit protocol scheme dompurify nh3 bleach purify")


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if "javascript" not in text or (script_file(path) and is_packed(text)):
        return
    outline = script_outline(project, path) if script_file(path) else opened(project, path)[1]
    told: set[str] = set()
    for test in text_tests(outline):
        if not _asks_for_script(test) or test.site.function is None or test.site.scope in told:
            continue
        told.add(test.site.scope)
        if _is_clean(outline, test.site.function):
            yield good(test.site, "scheme", "the address is parsed, or cleaned before")
        else:
            yield bad(test.site, "scheme", "one spelling of the scheme is refused", Confidence.MEDIUM)


def _asks_for_script(test: TextTest) -> bool:
    return test.how not in (END, WHOLE) and any(_DENIED.fullmatch(each) for each in test.texts)


def _is_clean(outline: Outline, function: Function) -> bool:
    if words_in(*function.body) & _PARSING:
        return True
    named = (outline.top_level[each] for each in _names(function) if each in outline.top_level)
    texts = (each.value for each in walk(*function.body, *named) if isinstance(each, Const) and isinstance(each.value, str))
    return any(_BLANKS.search(each) and "javascript" not in each.lower() for each in texts)


def _names(function: Function) -> set[str]:
    return {each for each in (getattr(node, "id", "") for node in walk(*function.body)) if each}


RULE = CheckRule(
    RuleInfo(
        id="denied-scheme",
        title="Cross-site scripting (XSS): script addresses refused by one spelling",
        dimension=Dimension.D1,
        kind="html",
        cwe=79,
        severity=Severity.LOW,
        shape=Shape.FLOW,
        impact=Impact.PARTIAL,
        consequence="Another spelling of the same scheme runs a script in the browser of whoever follows the link.",
        remedy="Parse the address and allow schemes by a list.",
    ),
    _check,
    lambda path: python_file(path) or script_file(path),
    query="addresses that are asked for the scheme of scripts",
)
