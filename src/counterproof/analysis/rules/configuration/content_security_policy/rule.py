"""A content security policy that allows everything.

## What it finds
A literal `Content-Security-Policy` whose `default-src` or `script-src` allows any origin or inline scripts without a nonce or
hash.

## Why it matters
The policy is the second line of defence against injected scripts. One that allows inline scripts from anywhere is no defence.

## What is safe
Policies that name their sources, with a nonce or hash for inline scripts. Having no policy at all is not a finding.

## Limits
Policies that are put together at run time or set by a proxy are not read.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.values import literal
from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Call, Index, Mapping

_HEADER = "content-security-policy"
_SETTERS = ("send_header", "set_header", "add_header", "setdefault", "set")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        if outline.dotted(site.node.callee).rpartition(".")[2] in _SETTERS and _names(text_of(positional(site.node, 0))):
            value = literal(codebase, outline, positional(site.node, 1), site.function)
            yield (
                bad(site, "policy", "allows any script")
                if _open(value)
                else good(site, "policy", "limits scripts, or is built at run time")
            )
    for assigned in outline.of(Assign):
        if any(isinstance(target, Index) and _names(text_of(target.key)) for target in assigned.node.targets):
            value = literal(codebase, outline, assigned.node.value, assigned.function)
            wrong = _open(value)
            yield (
                bad(assigned, "policy", "allows any script")
                if wrong
                else good(assigned, "policy", "limits scripts, or is built at run time")
            )
    for mapping in outline.of(Mapping):
        for key, value in mapping.node.entries:
            if _names(text_of(key)) and _open(literal(codebase, outline, value, mapping.function)):
                yield Match(value.line, value.end, "policy", "allows any script", True, function=mapping.scope)


def _names(name: str | None) -> bool:
    return (name or "").lower() == _HEADER


def _open(value: object) -> bool:
    if not isinstance(value, str):
        return False
    directives = {words[0]: words[1:] for part in value.lower().split(";") if (words := part.split())}
    sources = directives.get("script-src", directives.get("default-src", []))
    tied = any(source.startswith(("'nonce-", "'sha")) for source in sources)
    return "*" in sources or ("'unsafe-inline'" in sources and not tied)


RULE = CheckRule(
    title="Content Security Policy allows any script",
    kind="headers",
    cwe=693,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="The policy does not stop scripts that an attacker manages to inject.",
    remedy="List the script sources; use a nonce or hash for inline scripts.",
    check=_check,
    query="Content-Security-Policy headers",
    in_tests=True,
)
