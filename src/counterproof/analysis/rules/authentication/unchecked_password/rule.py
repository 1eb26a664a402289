"""Chosen passwords that are stored without a look at them.

## What it finds
Handlers that take a password from a request and keep it (they hash it, store it in a statement, make an account with it), in a
project that measures no password anywhere: no length, no pattern, no minimum of a field, no validator. In Django, views, forms
and serializers that hand one to `create_user` or `set_password` and call `validate_password` nowhere:
`AUTH_PASSWORD_VALIDATORS` does nothing there, only Django's own forms and `validate_password` run them. One finding per file.

## Why it matters
`1` is accepted as a password. Short and common ones are the first that are tried.

## What is safe
A minimum length where the request is read (`Field(min_length=12)`, `Length(min=12)`), a check against common passwords; in Django
`UserCreationForm`, `SetPasswordForm`, or a call of `validate_password` before the password is stored.

## Limits
A check anywhere in the project quiets the rule for all of it. Passwords that a program makes up are left alone. What a page
checks in the browser does not count: a request need not come from it.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.chosen_passwords import new_passwords
from counterproof.analysis.config.new_passwords import is_checked_somewhere, unchecked_passwords
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for number, site in enumerate((*unchecked_passwords(codebase, outline), *new_passwords(project, codebase, outline))):
        if number or is_checked_somewhere(codebase):
            yield good(site, "new password", "checked, or told above")
        else:
            yield bad(site, "new password", "nothing looks at it before it is stored", Confidence.MEDIUM)


RULE = CheckRule(
    title="No password policy",
    kind="password",
    cwe=521,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="Accounts with short or common passwords are taken over by guessing.",
    remedy="Require at least eight characters where the password is read; in Django, call validate_password(password, user).",
    check=_check,
    query="checks of new passwords",
)
