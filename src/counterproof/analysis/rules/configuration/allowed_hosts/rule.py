"""Django answers to any host name.

## What it finds
`ALLOWED_HOSTS = ["*"]` in Django settings.

## Why it matters
Django builds links from the `Host` header, for example in password reset mails. When any value is accepted, an attacker can make
those links point to a server of theirs, or poison caches.

## What is safe
A list of real host names, an empty list, a list from the environment, and development settings.

## Limits
A proxy in front may filter host names; that is not visible in the code.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.settings import for_development
from counterproof.analysis.config.values import is_environment
from counterproof.analysis.program.settings import is_django_settings
from counterproof.analysis.program.traversal import argument, calls_in, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Name, Sequence


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    if not is_django_settings(codebase, path):
        return
    for site in outline.of(Assign):
        if not any(isinstance(target, Name) and target.id == "ALLOWED_HOSTS" for target in site.node.targets):
            continue
        value = site.node.value
        listed = value.items if isinstance(value, Sequence) else (value,) if value is not None else ()
        defaults = [argument(call, 1, "default") for call in calls_in(*listed) if is_environment(outline, call)]
        everyone = any(text_of(each) == "*" for each in (*listed, *defaults))  # a text is a list of its letters
        if everyone and not for_development(outline, None) and not site.tests:
            yield bad(site, "ALLOWED_HOSTS", "any host name is accepted")
        else:
            yield good(site, "ALLOWED_HOSTS", "host names are limited, or open for development only")


RULE = CheckRule(
    title="Host header not validated",
    kind="hosts",
    cwe=644,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="Links that the application builds can be made to point to a server of the attacker's choice.",
    remedy="List the host names that the site is served under.",
    check=_check,
    query="ALLOWED_HOSTS in Django settings",
    in_tests=True,
)
