"""Django accepts any host name.

## What it finds
`ALLOWED_HOSTS = ["*"]` in Django settings.

## Why it matters
Django builds links from the `Host` header, for example in password-reset e-mails. If any value is accepted, an attacker can
make those links point to their own server, or poison caches.

## What is safe
A list of real host names, an empty list, a list from the environment, and development settings.

## Limits
A proxy in front may filter host names; that is not visible in the code.
"""

from counterproof.analysis.config.patterns import Bad, Matching, Settings
from counterproof.analysis.config.places import Place
from counterproof.analysis.config.values import is_environment
from counterproof.analysis.program.traversal import argument, calls_in, text_of
from counterproof.analysis.ruleset import CheckRule, Impact, Severity


def _is_everyone(at: Place) -> bool:
    """A "*" in the list or as the default of an environment variable; a string counts as a list of its letters."""
    defaults = (argument(call, 1, "default") for call in calls_in(*at.items()) if is_environment(at.outline, call))
    return not (at.development or at.site.tests) and any(text_of(each) == "*" for each in (*at.items(), *defaults))


RULE = CheckRule(
    title="Host header not validated",
    kind="hosts",
    cwe=644,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="An attacker can make links that the application builds point to a server of their choice.",
    remedy="List the host names that serve the site.",
    check=Matching(
        Settings(("ALLOWED_HOSTS",), only=lambda at: at.django),
        bad=Bad(_is_everyone, "any host name is accepted"),
        good="host names are limited, or open for development only",
    ),
    query="ALLOWED_HOSTS in Django settings",
    in_tests=True,
)
