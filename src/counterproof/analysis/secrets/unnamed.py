"""Secrets that no name announces but their place does: `curl -u bob:…`, `mysql -p…`, `login("bob", "…")`, `auth=("bob", "…")`.

Always holds: linear, one line at a time, and a value that a program fills in stays.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.secrets.sql_seeds import seeded_passwords
from counterproof.analysis.secrets.values import is_template, is_thought_up

Span = tuple[int, int]

_USER = re.compile(r"(?<=\s)(?:-u|--user|--proxy-user|-U)[ =]?[\"']?[^\s:\"'‹$]{1,60}:([^\s\"'‹]{3,400})")
_SHORT = re.compile(
    r"\b(?:sshpass|mysql\w{0,10}|mariadb|mongo\w{0,8}|redis-cli|ldap\w{2,10}|"
    r"(?:docker|podman|helm|az|oc|npm)[ \t](?:registry[ \t])?login)\b"
    r"[^\n|;&‹]{0,200}?[ \t](?:-p|-a|-w)[ \t]?[\"']?([^\s\"'‹-][^\s\"'‹]{2,400})"
)
_PARENTHESES = re.compile(r"\(([^()\n‹]{1,400})\)")
_CALLED = (
    *("login", "log_in", "logon", "signin", "sign_in", "authenticate", "basicauth", "basic_auth"),
    *("getconnection", "credential", "credentials", "password"),
)
_LONGEST = max(map(len, _CALLED)) + 2
_PAIR = re.compile(
    r"\b(?:auth|http_auth|basic_auth|credentials|creds)[\"']?[ \t]{0,3}[=:][ \t]{0,3}[(\[]([^()\[\]\n‹]{1,400})[)\]]"
)
_HEADER = re.compile(r"\b(?:Bearer|Basic)[ \t]{1,3}(?:[\"'][ \t]{0,3}[+.][ \t]{0,3}[\"'])?([A-Za-z0-9._~+/=!#%^*-]{8,4000})")
_TEXTS = re.compile(r"\"([^\"\n]{1,400})\"|'([^'\n]{1,400})'")


def unnamed_values(text: str) -> Iterator[Span]:
    """Where they stand."""
    for pattern in (_USER, _SHORT):
        for found in pattern.finditer(text):
            if not found[1].isdigit() and not is_template(found[1]) and found[1][0] not in "$<{":
                yield found.span(1)
    for found in _HEADER.finditer(text):
        if is_thought_up(found[1]):
            yield found.span(1)
    for found in _PARENTHESES.finditer(text):
        if _is_called(text[max(0, found.start() - _LONGEST) : found.start()]):
            yield from _later_texts(text, *found.span(1))
    for found in _PAIR.finditer(text):
        yield from _later_texts(text, *found.span(1))
    if "insert" in text or "INSERT" in text:
        yield from _seeds(text)


def _is_called(before: str) -> bool:
    """Whether what stands before a parenthesis, with two blanks at most between, is a function that takes a password."""
    name = before.rstrip(" \t")
    return len(before) - len(name) <= 2 and name.lower().endswith(_CALLED)


def _later_texts(text: str, start: int, end: int) -> Iterator[Span]:
    """All texts after the first argument; of a single one nothing is known."""
    for each in _TEXTS.finditer(text, start, end):
        if "," in text[start : each.start()] and is_thought_up(each[each.lastindex or 1]):
            yield each.span(each.lastindex or 1)


def _seeds(text: str) -> Iterator[Span]:
    for offset, password in seeded_passwords(text):
        start = text.find(password, offset)
        if start >= 0 and "\n" not in password and "‹" not in password and not is_template(password):
            yield start, start + len(password)
