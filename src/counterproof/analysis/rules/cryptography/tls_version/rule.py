"""Old versions of TLS.

## What it finds
SSL 2, SSL 3, TLS 1.0 and TLS 1.1 chosen as protocol or minimum version, and options that allow them again or switch safe choices
off (`options &= ~ssl.OP_NO_SSLv3`).

## Why it matters
These versions have known attacks that recover cookies or keys, and browsers have dropped them.

## What is safe
`PROTOCOL_TLS_CLIENT`, `PROTOCOL_TLS_SERVER`, `create_default_context`, a minimum of TLS 1.2.

## Limits
A version that a function only compares with or keeps in a variable of its own is not followed to where it is set. What a proxy
in front speaks is not seen.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Guess, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Augment, Compare, Index, Mapping, Name, Node, Unary
from counterproof.analysis.syntax.walk import walk

_OLD = ("PROTOCOL_SSLv2", "PROTOCOL_SSLv3", "PROTOCOL_TLSv1", "PROTOCOL_TLSv1_1", "SSLv2_METHOD", "SSLv3_METHOD", "TLSv1_METHOD")
_OLD_MINIMUM = ("SSLv3", "TLSv1", "TLSv1_1", "MINIMUM_SUPPORTED")
_SOUND = ("PROTOCOL_TLS_CLIENT", "PROTOCOL_TLS_SERVER", "PROTOCOL_TLSv1_2", "TLSv1_2", "TLSv1_3", "PROTOCOL_TLS")
_LOWERED = ("OP_NO_SSLv2", "OP_NO_SSLv3", "OP_NO_TLSv1", "OP_NO_TLSv1_1", "OP_NO_COMPRESSION")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    passed_over = _translated(outline) | _kept_inside(outline)
    for site in outline.of(Attribute):
        dotted = outline.dotted(site.node)
        if not dotted.startswith(("ssl.", "OpenSSL.SSL.", "urllib3.util.ssl_.")) or id(site.node) in passed_over:
            continue
        name = site.node.name
        if name in _OLD or (name in _OLD_MINIMUM and ".TLSVersion." in dotted):
            yield bad(site, name, "an old version")
        elif name in _SOUND:
            yield good(site, name, "a current version")
    yield from _lowered(outline)


def _kept_inside(outline: Outline) -> set[int]:
    """Versions that a function keeps in a variable of its own."""
    inside = (site.node for site in outline.of(Assign) if site.function)
    return {id(node.value) for node in inside if isinstance(node.targets[0], Name)}


def _translated(outline: Outline) -> set[int]:
    """Versions in tables from one library's names to another's, and in comparisons: they are spoken of, not asked for."""
    spoken: list[Node] = [each.node for each in outline.of(Compare)]
    for table in outline.of(Mapping):
        names = {each.name for each in walk(table.node) if isinstance(each, Attribute)}
        if len(names & {*_OLD, *_OLD_MINIMUM, *_SOUND}) > 1:
            spoken.append(table.node)
    for assigned in outline.of(Assign):
        if any(isinstance(target, Index) and isinstance(target.key, Attribute) for target in assigned.node.targets):
            spoken.append(assigned.node)
    return {id(each) for each in walk(*spoken) if isinstance(each, Attribute)}


def _lowered(outline: Outline) -> Iterator[Match]:
    """`options &= ~OP_NO_…` takes a protection away."""
    for site in outline.of(Augment):
        if site.node.operator != "&" or not isinstance(site.node.value, Unary) or site.node.value.operator != "~":
            continue
        if not isinstance(site.node.target, Attribute):  # numbers being worked out; whether and where they are set is not seen
            continue
        names = [node.name for node in walk(site.node.value) if isinstance(node, Attribute) and node.name in _LOWERED]
        for name in names:
            yield bad(site, name, "the protection is taken away")


RULE = CheckRule(
    title="Outdated TLS version allowed",
    kind="tls",
    cwe=327,
    severity=Severity.MEDIUM,
    guesses=(Guess.UNKNOWN_USE,),
    consequence="Known attacks on old protocol versions can recover what is sent.",
    remedy="Require TLS 1.2 or later.",
    check=_check,
    query="TLS protocol versions",
    in_tests=True,
)
