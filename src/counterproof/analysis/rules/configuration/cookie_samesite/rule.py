"""Session cookies sent with cross-site requests.

## What it finds
`SESSION_COOKIE_SAMESITE` or `samesite=` set to "None", which tells browsers to send the cookie with requests from any site;
in Django settings also `None`, which removes the attribute that Django sets to "Lax" by default.

## Why it matters
`SameSite` is the browser's own defence against forged requests (CWE-352). "None" disables it (CWE-1275).

## What is safe
"Lax", "Strict", and omitting the setting: most browsers then use "Lax". Outside Django, Python's `None` means "omit the
attribute".

## Limits
Cookies that a widget embedded in another site really needs are reported too; there, a token must protect every change.
"""

from counterproof.analysis.config.cookies import SETTING
from counterproof.analysis.config.patterns import Bad, Calls, Matching, Settings
from counterproof.analysis.config.places import Place, keyword, one_of
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Severity
from counterproof.analysis.syntax.ir import Const

_OPEN = Bad(one_of("none"), "any site may send the cookie")


def _takes_default_away(at: Place) -> bool:
    plain = at.setting is not None and at.setting.form == "name" and isinstance(at.value, Const) and at.value.value is None
    return plain and at.django


def _adds_sessions(at: Place) -> bool:
    return any(at.dotted(each.value).endswith("SessionMiddleware") for each in at.call.arguments[:1])


RULE = CheckRule(
    title="Session cookie without SameSite",
    kind="cookie",
    cwe=352,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="Requests forged by another site carry the user's session.",
    remedy='Use SameSite "Lax" or "Strict".',
    check=Matching(
        Settings(
            tuple(f"{name}_COOKIE_SAMESITE" for name in ("SESSION", "CSRF", "REMEMBER", "JWT")),
            bad=(Bad(_takes_default_away, "Django's default is removed", Confidence.MEDIUM), _OPEN),
        ),
        Calls((*SETTING, "*.SessionMiddleware"), keyword("samesite", "same_site"), item="samesite"),
        Calls(("*.add_middleware", "*.Middleware"), keyword("same_site"), _adds_sessions, item="samesite"),
        bad=_OPEN,
        good="another value, or the browser's default",
    ),
    query="SameSite attribute of cookies",
    in_tests=True,
)
