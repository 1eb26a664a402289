"""Session cookies that other sites may send along.

## What it finds
`SESSION_COOKIE_SAMESITE` or `samesite=` set to "None", which tells browsers to send the cookie with requests from any site, and
Django settings where it is `None`: Django's own default is "Lax", so that this takes the attribute away.

## Why it matters
`SameSite` is the browser's own defence against forged requests (CWE-352). "None" switches it off (CWE-1275).

## What is safe
"Lax" and "Strict", and leaving the setting out: most browsers then use "Lax". Outside Django, Python's `None`
means "leave it out".

## Limits
Cookies that a widget on another site really needs are reported too; then a token must protect every change.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.cookies import flag_of, is_set_cookie
from counterproof.analysis.config.settings import settings_of
from counterproof.analysis.config.values import literal
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import is_django_settings
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Call, Const, Expr

_SETTINGS = frozenset({"SESSION_COOKIE_SAMESITE", "CSRF_COOKIE_SAMESITE", "REMEMBER_COOKIE_SAMESITE", "JWT_COOKIE_SAMESITE"})


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    django = is_django_settings(codebase, path)
    for setting in settings_of(outline, _SETTINGS):
        if django and setting.form == "name" and isinstance(setting.value, Const) and setting.value.value is None:
            yield bad(setting.site, setting.name, "Django's default is taken away", Confidence.MEDIUM)
        else:
            yield _judged(setting.site, setting.name, literal(codebase, outline, setting.value, setting.function))
    for site in outline.of(Call):
        value = flag_of(codebase, outline, site, "samesite") if _takes(outline, site.node) else None
        if value is not None:
            yield _judged(site, "samesite", literal(codebase, outline, value, site.function))


def _takes(outline: Outline, call: Call) -> bool:
    """A cookie that is set, or the middleware that keeps sessions in one."""
    named = (call.callee, *(each.value for each in call.arguments[:1]))
    return is_set_cookie(call) or any(outline.dotted(each).endswith("SessionMiddleware") for each in named)


def _judged(site: Site[Call] | Site[Expr], item: str, value: object) -> Match:
    if isinstance(value, str) and value.lower() == "none":
        return bad(site, item, "any site may send the cookie")
    return good(site, item, f"{value}" if isinstance(value, str) else "left to the browser's default")


RULE = CheckRule(
    title="Session cookie without SameSite",
    kind="cookie",
    cwe=352,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="Requests that another site forges carry the user's session.",
    remedy='Use SameSite "Lax" or "Strict".',
    check=_check,
    query="SameSite attribute of cookies",
    in_tests=True,
)
