"""Private hosts refused by the letters of their names.

## What it finds
A function that refuses addresses of this machine or of its network by comparing them with texts (`localhost`, `127.0.0.1`,
`192.168.`) and looks at no number and at no answer of the name service; and one that refuses only addresses that begin with
`http` before it requests the rest.

## Why it matters
The same host has many spellings: `127.1`, `0x7f000001`, `[::ffff:127.0.0.1]`, `localhost.`, and any name that resolves to it. A
client that joins addresses takes `//host/` for another host, although it does not begin with `http`.

## What is safe
Resolving the name, parsing each address it stands for and asking whether that is public, at the time of the request.

## Limits
Low by nature: who chooses the address is not followed. Functions that ask in order to allow are told by their names.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.text_tests import PATTERN, START, TextTest, text_tests, unquoted
from counterproof.analysis.outline.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Call, Function, If, Raise
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_PRIVATE = re.compile(
    r"\^?\(?(?:localhost|127\.0\.0\.1|127\.|10\.|192\.168\.?|169\.254\.?[\d.]*|172\.16\.?|0\.0\.0\.0|\[?::1\]?|metadata\.\w{1,20})"
)
_REFUSING = vocabulary(
    """private internal ssrf blocked block forbidden safe unsafe public allowed allow validate valid check reject deny restricted
    sanitize external dangerous guard verify disallowed"""
)
_RESOLVING = vocabulary(
    """ipaddress getaddrinfo gethostbyname ipaddr blocklist lookup resolve4 resolve6 dns netaddr cidr subnet inet bigint unpack
    loopback"""
)
_ADDRESSES = vocabulary("url uri path endpoint target href address link")
_ABSOLUTE = re.compile(r"\^?(?:\(\?:)?https?(?:\?|s\?)?(?:://)?\)?", re.IGNORECASE)
FEWEST = 2
"""Spellings that make a list of what is refused."""


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if script_file(path) and is_packed(text):
        return
    outline = script_outline(project, path) if script_file(path) else opened(project, path)[1]
    spelled: dict[str, list[TextTest]] = {}
    for test in text_tests(outline):
        function = test.site.function
        if function is None:
            continue
        if any(_PRIVATE.match(unquoted(each)) for each in test.texts) and _refuses(function):
            spelled.setdefault(test.site.scope, []).append(test)
        elif _refuses_absolute(function, test):
            yield bad(test.site, "address", "what does not begin with http may name a host too", Confidence.MEDIUM)
    for tests in spelled.values():
        yield from _judged(outline, tests)


def _judged(outline: Outline, tests: list[TextTest]) -> Iterator[Match]:
    first = tests[0].site
    texts = {each for test in tests for each in test.texts if _PRIVATE.match(unquoted(each))}
    if len(texts) < FEWEST and not any("|" in each for each in texts):
        return
    asked = words_in(*(first.function.body if first.function else ())) | {
        word for name in outline.module.imports for word in words(name)
    }
    if asked & _RESOLVING:
        yield good(first, "address", "numbers or resolved names are compared")
    else:
        yield bad(first, "address", "one spelling of each private host is refused", Confidence.MEDIUM)


def _refuses(function: Function) -> bool:
    return bool(set(words(function.qualified.rpartition(".")[2])) & _REFUSING)


def _refuses_absolute(function: Function, test: TextTest) -> bool:
    """`if (/^https?:\\/\\//.test(path)) throw …`, in a function that requests something."""
    if test.how not in (START, PATTERN) or not set(words(test.name)) & _ADDRESSES:
        return False
    if not any(_ABSOLUTE.fullmatch(unquoted(each)) for each in test.texts):
        return False
    branches = [branch for each in walk(*function.body) if isinstance(each, If) for branch in each.branches]
    refused = any(branch.test is test.site.node and branch.body and isinstance(branch.body[-1], Raise) for branch in branches)
    return refused and any(
        isinstance(each, Call) and words_in(each.callee) & {"fetch", "request", "axios", "got"} for each in walk(*function.body)
    )


RULE = CheckRule(
    RuleInfo(
        id="spelled-hosts",
        title="Server-side request forgery (SSRF): address check can be bypassed",
        dimension=Dimension.D6,
        kind="request",
        cwe=918,
        severity=Severity.LOW,
        shape=Shape.FLOW,
        impact=Impact.PARTIAL,
        consequence="Another spelling of the same host passes, and services that only this machine reaches answer.",
        remedy="Resolve the name, parse the addresses, and ask of each whether it is public.",
    ),
    _check,
    lambda path: python_file(path) or script_file(path),
    query="private hosts that are refused by name",
)
