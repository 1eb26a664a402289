"""Home-made list of private addresses that leaves some out.

## What it finds
In what is installed or served: a file that tells private addresses from public ones by texts or numbers of its own (`10.`,
`172.16`, `192.168`, `127.`), and that speaks nowhere of link-local addresses (`169.254`), where clouds keep their credentials, or
nowhere of IPv6.

## Why it matters
The list is there to keep requests away from the machine's own network. Whoever chooses the address takes one that the list
forgot: `http://169.254.169.254/`, `http://[::1]/`, `http://[::ffff:127.0.0.1]/`.

## What is safe
Asking a library that knows all of them (`ipaddress` with `is_global`), of the address that the name stands for; a list of the
hosts that are allowed.

## Limits
Low by nature: where the answer is used is not followed. Lists of what is trusted are left out by their names. A complete list is
no help against names that stand for a private address. Files that speak of no addresses of the web are left out: they may sort
networks for another reason.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import python_file, script_file
from counterproof.analysis.config.open_sinks import own_outline
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Const, Function, Name, Node
from counterproof.analysis.syntax.walk import last_name, walk

MAX_TEXT = 200
_NETWORKS = {10: re.compile(r"^10(?:\.|$)"), 172: re.compile(r"^172\."), 192: re.compile(r"^192\.168")}
"""Networks that every such list has, by the number that they begin with."""
_LINK = re.compile(r"^169\.254|metadata\.google")
_SIX = re.compile(r"::|^f(?:c|d|e[89ab])[0-9a-f]{0,2}(?::|$)|ipv6|ip6", re.IGNORECASE)
_SIGNS = re.compile(r"[\\^()?\[\]/'\"]|https?:")
_KNOWING = vocabulary("is_private is_global is_loopback is_reserved isPrivate isReserved") | set(
    names("code", "network-list", None)
)
"""Names of what knows the networks itself."""
_REFUSED = vocabulary(
    "private internal blocked block forbidden denied deny disallowed ssrf unsafe reserved public safe local valid validate"
)
_ADDRESSED = vocabulary("url urls uri href hostname ssrf webhook fetch")
"""Words of files that judge where an address leads."""
_TRUSTED = vocabulary("trusted trust allow allowed allowlist whitelist proxy proxies test mock example")


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    outline = own_outline(project, path) if "192" in text and "172" in text else None
    mentioned = set(_mentioned(outline)) if outline is not None else set[str]()
    about = {word for each in (*mentioned, path) for word in words(each)}
    if outline is None or mentioned & _KNOWING or not about & _ADDRESSED:
        return
    for name, node in _lists(outline):
        spoken = set(words(name))
        line = _listed_at(node) if spoken & _REFUSED and not spoken & _TRUSTED else 0
        if not line:
            continue
        lacking = _lacking(*outline.module.body)
        if lacking:
            scope = node.qualified if isinstance(node, Function) else ""
            yield Match(line, line, "addresses", f"{name} leaves out {' and '.join(lacking)}", True, Confidence.MEDIUM, scope)
        return  # one file, one list


def _mentioned(outline: Outline) -> Iterator[str]:
    yield from (last_name(each) for each in walk(*outline.module.body) if isinstance(each, Name | Attribute))
    yield from outline.module.imports.values()


def _lists(outline: Outline) -> Iterator[tuple[str, Node]]:
    """Functions and variables of the module, with their names."""
    for each in outline.module.functions:
        yield each.qualified.rpartition(".")[2], each
    for statement in outline.module.body:
        if isinstance(statement, Assign) and statement.value is not None:
            yield last_name(statement.targets[0]), statement


def _listed_at(node: Node) -> int:
    """Where the last of the three private networks of IPv4 stands, as a text or as a number; 0 where one of them does not."""
    roots = node.body if isinstance(node, Function) else (node,)
    lines = [_line_of(roots, number, pattern) for number, pattern in _NETWORKS.items()]
    return max(lines) if all(lines) else 0


def _line_of(roots: tuple[Node, ...], number: int, pattern: re.Pattern[str]) -> int:
    written = (each for each in walk(*roots) if isinstance(each, Const))
    return next((each.line for each in written if each.value == number or pattern.search(_plain(each.value))), 0)


def _plain(text: object) -> str:
    """A text or a pattern without the signs that mean something in patterns."""
    return _SIGNS.sub("", text[:MAX_TEXT]) if isinstance(text, str) else ""


def _lacking(*roots: Node) -> list[str]:
    values = [each.value for each in walk(*roots) if isinstance(each, Const)]
    texts = [_plain(each) for each in values]
    linked = any(_LINK.search(each) for each in texts) or {169, 254} <= {each for each in values if type(each) is int}
    six = any(_SIX.search(each) for each in texts)
    return ([] if linked else ["link-local addresses"]) + ([] if six else ["IPv6"])


RULE = CheckRule(
    title="Server-side request forgery (SSRF): list of private addresses with gaps",
    kind="request",
    cwe=918,
    severity=Severity.LOW,
    consequence="Whoever chooses the address reaches services that only this machine reaches.",
    remedy="Ask a library whether the address that the host stands for is public.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="lists of private addresses",
)
