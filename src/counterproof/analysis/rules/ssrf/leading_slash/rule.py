"""Address taken for one of this site because it begins with a slash.

## What it finds
A function that decides where to send the browser, and asks of an address only whether it begins with a slash, or refuses only
what begins with `http`.

## Why it matters
`//attacker.net` and, to browsers, `/\\attacker.net` begin with a slash and lead to another site; neither begins with `http`.

## What is safe
Resolving the address against this site and comparing the origin; refusing a second slash and backslashes.

## Limits
Low by nature: who chooses the address is not followed. Which functions decide that is told by their names.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.outline.text_tests import PATTERN, START, TextTest, text_tests, unquoted
from counterproof.analysis.outline.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Const, Function
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_ABOUT = re.compile(r"redirect|return_?to\b|next_?url|callback_?url", re.IGNORECASE)
_DECIDING = vocabulary("redirect redirects redirection redirecting next return back callback continue destination forward login")
_ADDRESSES = vocabulary(
    "url uri path next redirect target to destination location href address callback return back continue dest"
)
_PARSING = vocabulary("urlparse urlsplit netloc hostname origin host")
_LOCAL = re.compile(r"\^?/")
_FOREIGN = re.compile(r"\^?(?:\(\?:)?https?(?:\?|s\?)?(?:://)?\)?", re.IGNORECASE)


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if not _ABOUT.search(text) or (script_file(path) and is_packed(text)):
        return
    outline = script_outline(project, path) if script_file(path) else opened(project, path)[1]
    told: set[str] = set()
    for test in text_tests(outline):
        function = test.site.function
        if function is None or test.site.scope in told or not _decides(function, test):
            continue
        told.add(test.site.scope)
        if _looks_further(function):
            yield good(test.site, "address", "more than its first letter is looked at")
        else:
            yield bad(test.site, "address", "its first letters decide whether it is of this site", Confidence.MEDIUM)


def _decides(function: Function, test: TextTest) -> bool:
    named = set(words(test.name)) & _ADDRESSES and set(words(function.qualified.rpartition(".")[2])) & _DECIDING
    letters = (unquoted(each) for each in test.texts) if test.how in (START, PATTERN) else ()
    return bool(named) and any(_LOCAL.fullmatch(each) or _FOREIGN.fullmatch(each) for each in letters)


def _looks_further(function: Function) -> bool:
    """A second slash, a backslash, or the parts of the address."""
    texts = [unquoted(each.value) for each in walk(*function.body) if isinstance(each, Const) and isinstance(each.value, str)]
    further = any(each.startswith(("//", "/\\", "\\")) or "[^/" in each or "(?!" in each for each in texts)
    return further or bool(words_in(*function.body) & _PARSING)


RULE = CheckRule(
    RuleInfo(
        id="leading-slash",
        title="Open redirect: address judged by its first letters",
        dimension=Dimension.D6,
        kind="redirect",
        cwe=601,
        severity=Severity.LOW,
        shape=Shape.FLOW,
        impact=Impact.PARTIAL,
        consequence="A link to this site sends visitors on to a site of the sender's choice.",
        remedy="Resolve the address against this site and compare the origin.",
    ),
    _check,
    lambda path: python_file(path) or script_file(path),
    query="addresses judged by their first letters before a redirect",
)
