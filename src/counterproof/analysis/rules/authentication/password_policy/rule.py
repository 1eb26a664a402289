"""Passwords that may be as short as the user likes, or nearly.

## What it finds
`AUTH_PASSWORD_VALIDATORS` in Django settings that is empty, or has Django's own checks but none of the length, or one that asks
for seven characters or less; and code that refuses new passwords only below such a length.

## Why it matters
Short and common passwords are the first that are tried, and a stolen database gives them up within minutes.

## What is safe
A minimum of eight characters or more, and a check against common passwords.

## Limits
A policy that a directory or another service enforces is not seen.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.passwords import PASSWORDS
from counterproof.analysis.config.settings import for_development
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import is_django_settings, setting
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import mentions, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Call, Compare, Const, Expr, Mapping, Name, Sequence

ENOUGH = 8
_OWN = "django.contrib.auth.password_validation."


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    if is_django_settings(codebase, path):
        yield from _validators(outline)
    reported = False
    for site in outline.of(Compare):
        least = _least(site.node)
        if least is None:
            continue
        if least >= ENOUGH or reported:
            yield good(site, "length of passwords", "long enough, or told above")
        else:
            reported = True
            yield bad(site, "length of passwords", f"{least} characters are enough", Confidence.MEDIUM)


def _validators(outline: Outline) -> Iterator[Match]:
    value = setting(outline, "AUTH_PASSWORD_VALIDATORS")
    if isinstance(value, Sequence):
        site = Site(value, None, None)
        weakness = "" if for_development(outline, None) else _accepted(value)
        if weakness:
            yield bad(site, "AUTH_PASSWORD_VALIDATORS", weakness)
        else:
            yield good(site, "AUTH_PASSWORD_VALIDATORS", "passwords are checked, or settings for development")


def _accepted(validators: Sequence) -> str:
    """What a list of checks lets through; '' where it is enough, or cannot be told."""
    if not validators.items:
        return "no password is refused"
    written = [dict(_texts(each)) for each in validators.items if isinstance(each, Mapping)]
    named = [text_of(each.get("NAME")) or "" for each in written]
    if len(named) < len(validators.items) or not all(name.startswith(_OWN) for name in named):
        return ""
    length = next((each for each, name in zip(written, named, strict=True) if name == f"{_OWN}MinimumLengthValidator"), None)
    if length is None:
        return "no password is too short"
    options = length.get("OPTIONS")
    least = dict(_texts(options)).get("min_length") if isinstance(options, Mapping) else None
    short = isinstance(least, Const) and isinstance(least.value, int) and least.value < ENOUGH
    return f"{least.value} characters are enough" if short and isinstance(least, Const) else ""


def _texts(mapping: Mapping) -> Iterator[tuple[str, Expr]]:
    return ((text_of(key) or "", value) for key, value in mapping.entries if key is not None)


def _least(node: Compare) -> int | None:
    """The least length that `len(password) < 6` or `len(password) <= 5` lets through."""
    if len(node.operands) != 2 or not _is_length(node.operands[0]) or not isinstance(node.operands[1], Const):
        return None
    number = node.operands[1].value
    if not isinstance(number, int) or isinstance(number, bool) or number < 2:
        return None
    return {"<": number, "<=": number + 1}.get(node.operators[0])


def _is_length(expr: Expr) -> bool:
    called = isinstance(expr, Call) and isinstance(expr.callee, Name) and expr.callee.id == "len"
    return called and mentions(words_in(expr), PASSWORDS)


RULE = CheckRule(
    title="Weak password policy",
    kind="password",
    cwe=521,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="Accounts with short or common passwords are taken over by guessing.",
    remedy="Require at least eight characters and reject common passwords.",
    check=_check,
    query="rules for new passwords",
)
