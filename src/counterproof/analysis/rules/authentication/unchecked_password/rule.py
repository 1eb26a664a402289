"""Chosen passwords that Django stores without a look at them.

## What it finds
Views, forms and serializers that hand a password from a request to `create_user` or `set_password`, in a Django project that
calls `validate_password` nowhere, checks no length and gives the field no minimum. `AUTH_PASSWORD_VALIDATORS` does nothing
there: only Django's own forms and `validate_password` run them. One finding per file.

## Why it matters
`1` is accepted as a password. Short and common ones are the first that are tried.

## What is safe
`UserCreationForm`, `SetPasswordForm`, or a call of `validate_password` before the password is stored.

## Limits
Other frameworks have no such functions to look for. Passwords that a program makes up are left alone.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.new_passwords import is_checked_somewhere, unchecked_passwords
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for number, site in enumerate(unchecked_passwords(codebase, outline)):
        if number or is_checked_somewhere(codebase):
            yield good(site, "new password", "checked, or told above")
        else:
            yield bad(site, "new password", "no validator is run before it is stored", Confidence.MEDIUM)


RULE = CheckRule(
    RuleInfo(
        id="unchecked-password",
        title="Any password is accepted",
        dimension=Dimension.D2,
        kind="password",
        cwe=521,
        severity=Severity.LOW,
        impact=Impact.LOCAL,
        consequence="Accounts with short or common passwords are taken over by guessing.",
        remedy="Call validate_password(password, user) before the password is stored, or use Django's own forms.",
    ),
    _check,
    python_file,
    query="checks of new passwords",
)
