"""Address checked, and redirects followed past the check.

## What it finds
A function that looks where an address leads (resolves its host, asks whether it is private) before it sends a request there, and
lets the client follow redirects.

## Why it matters
The check holds for the first address only. A server that passes it answers with a redirect to `http://127.0.0.1/` or to the
metadata of the cloud, and the client goes there.

## What is safe
`allow_redirects=False`, or an adapter or connector that checks every address it connects to.

## Limits
Whether the check itself is good is not judged. Clients that do not follow redirects unless told to are left out.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.traversal import argument, called, keyword
from counterproof.analysis.outline.words import names_in, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call

_RESOLVING = names("code", "host-resolution")
_INNER = vocabulary("private internal loopback localhost local ssrf reserved")
_SUBJECTS = vocabulary("url urls uri address ip host hostname link")
_VERBS = ("get", "post", "put", "delete", "patch", "head", "options", "request")
_CLIENTS = vocabulary("requests session")
_OPENING = ("urllib.request.urlopen", "urllib2.urlopen")
_CAREFUL = frozenset({"allow_redirects", "max_redirects", "mount", "HTTPRedirectHandler", "build_opener"})


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    checked: dict[str, list[tuple[int, frozenset[str]]]] = {}
    for site in outline.of(Call):
        if site.function is not None and _asks(outline, site.node):
            checked.setdefault(site.scope, []).append((site.line, _spoken_of(outline, site)))
    for site in outline.of(Call) if checked else ():
        url = argument(site.node, *_position(site.node)) if _sends(outline, site.node) else None
        before = [names for line, names in checked.get(site.scope, ()) if line < site.line]
        if url is None or site.function is None or not any(set(names_in(url)) & names for names in before):
            continue
        if keyword(site.node, "allow_redirects") is not None or set(names_in(*site.function.body)) & _CAREFUL:
            yield good(site, "request", "redirects are not followed, or are looked after")
        else:
            yield bad(site, "request", "the address was checked, and redirects from there are followed", Confidence.MEDIUM)


def _asks(outline: Outline, call: Call) -> bool:
    """`socket.getaddrinfo(host, 0)`, `is_private_address(url)`."""
    spoken = set(words(called(call)))
    return outline.dotted(call.callee) in _RESOLVING or bool(spoken & _INNER and spoken & _SUBJECTS)


def _spoken_of(outline: Outline, site: Site[Call]) -> frozenset[str]:
    """Variables that a check is about, and those that its variables were made from."""
    names = {name for each in site.node.arguments for name in names_in(each.value)}
    for name in sorted(names):
        assigned = outline.local(site.function, name)
        if assigned is not None and assigned.value is not None:
            names |= set(names_in(assigned.value))
    given = {each.name for each in site.function.parameters} if site.function else set[str]()
    return frozenset(name for name in names if name in given or outline.local(site.function, name) is not None)


def _sends(outline: Outline, call: Call) -> bool:
    callee = call.callee
    if outline.dotted(callee) in _OPENING:
        return True
    if not isinstance(callee, Attribute) or callee.name not in _VERBS:
        return False
    return bool(set(words(outline.dotted(callee.value).rpartition(".")[2])) & _CLIENTS)


def _position(call: Call) -> tuple[int, str]:
    return (1 if called(call) == "request" else 0), "url"


RULE = CheckRule(
    title="Server-side request forgery (SSRF) through a redirect",
    kind="request",
    cwe=918,
    severity=Severity.MEDIUM,
    consequence="A redirect leads the server to the internal addresses that the check was meant to block.",
    remedy="Send with allow_redirects=False, or check every address that a redirect names before following it.",
    check=_check,
    query="requests to addresses that were checked",
)
