"""Credentials that follow a redirect to another host.

## What it finds
In code that others install: a function that reads where an answer redirects to (`Location`), and requests that address with the
headers or options of the first request, while nothing in it speaks of hosts, origins or of what is to be left out.

## Why it matters
Whoever answers, or whoever may set a redirect there, sends the request to a host of their own and gets its tokens and cookies.

## What is safe
A comparison of the hosts before the second request, or leaving out `Authorization` and `Cookie`; clients of libraries that do so.

## Limits
Told as posture: whether the headers hold credentials is not followed. Any name or text in the function that speaks of an origin,
a host or one of these headers counts as a look at it.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.outline.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Const, Expr, Function, Index
from counterproof.analysis.syntax.walk import last_name, walk

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_REDIRECTED = vocabulary("redirect redirects redirected redirection follow")
_LOOKS = vocabulary("authorization cookie cookies host hostname origin netloc credentials domain same cross strip sensitive")
_CARRIED = vocabulary("headers header options opts config kwargs params init request")


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path) if "ocation" in project.text(path) else None
    told: set[str] = set()
    for site in outline.of(Call) if outline is not None else ():
        function = site.function
        if outline is None or function is None or function.qualified in told or not _carries(site.node):
            continue
        if _follows(function) and not _looks(function):
            told.add(function.qualified)
            yield bad(site, "redirect", "followed with the headers of the first request", Confidence.MEDIUM)


def _carries(call: Call) -> bool:
    """A call that gets headers or options, as they are or with others."""
    given = {word for each in call.arguments for word in (*words(each.keyword), *words(last_name(each.value)))}
    spread = any(each.spread for each in call.arguments)
    return len(call.arguments) > 1 and bool(given & _CARRIED or spread)


def _follows(function: Function) -> bool:
    """Whether it reads `Location` of an answer, and knows of redirects."""
    nodes = list(walk(*function.body))
    asked = any(_is_location(each) for each in nodes if isinstance(each, Attribute | Index | Call))
    known = any(isinstance(each, Const) and each.value in _REDIRECTS for each in nodes)
    return asked and (known or bool(words_in(*function.body) & _REDIRECTED))


def _is_location(node: Attribute | Index | Call) -> bool:
    """`headers.location`, `headers["Location"]`, `headers.get("location")`."""
    held: Expr | None
    if isinstance(node, Call):
        held = node.callee.value if isinstance(node.callee, Attribute) and node.callee.name == "get" else None
        name = text_of(node.arguments[0].value) if node.arguments else None
    else:
        held, name = node.value, node.name if isinstance(node, Attribute) else text_of(node.key)
    return (name or "").lower() == "location" and held is not None and last_name(held).lower().endswith("headers")


def _looks(function: Function) -> bool:
    texts = (each.value for each in walk(*function.body) if isinstance(each, Const) and isinstance(each.value, str))
    spoken = {word for each in texts for word in words(each)}
    return bool((words_in(*function.body) | spoken) & _LOOKS)


RULE = CheckRule(
    title="Credentials follow a redirect to another host",
    kind="request",
    cwe=200,
    severity=Severity.LOW,
    posture=True,
    consequence="Whoever sets the redirect gets the tokens and cookies of the request.",
    remedy="Leave Authorization and Cookie out where the host of the new address is another one.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="redirects that the code follows itself",
)
