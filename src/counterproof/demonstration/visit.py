"""A visitor's way to a form: fetches the page first, and sends its cookies and hidden token with the request.

Invariant: only data that a page gives to everybody is used, and for a user the data that the application returned on sign-in.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from typing import Any, Final

from counterproof.demonstration.actions import INPUT, Request
from counterproof.demonstration.sandbox.running import Sandbox

_PAGES: Final = ("/", "/login")
_FORM_PAGE: Final = re.compile(
    r"href=[\"']?(/[\w/-]{0,100}(?:log-?in|sign-?in|sign-?up|register|contact|account)[\w/-]{0,60})", re.I
)
MAX_PAGES: Final = 8
MAX_FIELDS: Final = 12
INPUT_TAG: Final = re.compile(r"<(?:input|meta|select|textarea)\b[^>]{0,600}>", re.I)
_NAME: Final = re.compile(r"\bname=[\"']?([\w.-]{1,60})", re.I)
_VALUE: Final = re.compile(r"\b(?:value|content)=[\"']?([^\"'\s>]{1,400})", re.I)
_TOKEN: Final = re.compile(r"csrf|xsrf|authenticity|nonce|^_?token$", re.I)
_TYPE: Final = re.compile(r"\btype=[\"']?([\w-]{1,20})", re.I)
_COOKIE: Final = re.compile(r"^([\w!#$%&'*+.^`|~-]{1,80})=([^;]{0,4000})")
REFUSING: Final = (400, 403, 419)
"""Statuses that reject a form without its token."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Data from pages: cookies, tokens of their forms, and the headers of a signed-in user."""

    cookies: tuple[tuple[str, str], ...] = ()
    tokens: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()

    def applied(self, request: Request) -> Request:
        """The request with the visited pages' data."""
        named = {name for name, _ in request.cookies}
        cookies = (*request.cookies, *(each for each in self.cookies if each[0] not in named))
        headers = (*request.headers, *self.headers, *(("X-CSRF-Token", value) for _, value in self.tokens[:1]))
        if not self.tokens:
            return replace(request, raw_cookies=cookies, headers=headers)
        has_form = request.method not in ("GET", "HEAD") and not request.json and not request.body
        form = (*request.form, *(each for each in self.tokens if each[0] not in dict(request.form))) if has_form else request.form
        return replace(request, raw_cookies=cookies, headers=headers, form=form)


def visit(sandbox: Sandbox, request: Request, seconds: float, start: Visit | None = None) -> Visit:
    """Fetch the request's own page and the usual ones, as one visitor or as a signed-in user."""
    start = start or Visit()
    cookies = dict(start.cookies)
    tokens: dict[str, str] = {}
    left = [*([request.path] if INPUT not in request.path else []), *_PAGES]
    for path in left:
        page = Request("GET", path, headers=start.headers, raw_cookies=tuple(cookies.items()))
        answer, _ = sandbox.ask(page.sent(), seconds)
        body = str(answer.get("body", ""))
        cookies |= dict(cookies_in(answer))
        tokens |= dict(_tokens(body))
        further = [each for each in _FORM_PAGE.findall(body) if each not in left]
        left += further[: max(0, MAX_PAGES - len(left))]
    return Visit(tuple(cookies.items()), tuple(tokens.items()), start.headers)


def has_page(request: Request) -> bool:
    """True if the request may be a form whose page can be fetched."""
    return bool(request.form) and request.method == "POST" and INPUT not in request.path


def completed(request: Request, answer: dict[str, Any]) -> Request:
    """The form with the other fields of its page, so that the handler reaches the finding's field."""
    given = dict(request.form)
    found = dict(fields_of(str(answer.get("body", "")), "1", "1"))
    others = [each for each in found.items() if each[0] not in given and not _TOKEN.search(each[0])]
    return replace(request, form=(*request.form, *others[:MAX_FIELDS]))


def fields_of(page: str, text: str, password: str) -> Iterator[tuple[str, str]]:
    """Every field of a page's forms with values that fit their types."""
    for tag in INPUT_TAG.findall(page)[:200]:
        name, value, kind = _NAME.search(tag), _VALUE.search(tag), kind_of(tag)
        if not name or tag.lower().startswith("<meta") or kind in ("submit", "button", "file", "image", "reset"):
            continue
        if kind == "password":
            yield name[1], password
        elif kind == "email" or "mail" in name[1].lower():
            yield name[1], f"{text}@example.com"
        elif kind in ("hidden", "checkbox", "radio"):
            yield name[1], unescape(value[1]) if value else "" if kind == "hidden" else "on"
        else:
            yield name[1], {"number": "1", "date": "2000-01-01"}.get(kind, text)


def kind_of(tag: str) -> str:
    kind = _TYPE.search(tag)
    return kind[1].lower() if kind else "text"


def cookies_in(answer: dict[str, Any]) -> list[tuple[str, str]]:
    told: list[list[str]] = answer.get("headers") or []
    lines = (value for name, value in told if name.lower() == "set-cookie")
    return [(match[1], match[2]) for line in lines if (match := _COOKIE.match(line))]


def _tokens(page: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for tag in INPUT_TAG.findall(page)[:200]:
        name, value = _NAME.search(tag), _VALUE.search(tag)
        if name and value and _TOKEN.search(name[1]):
            found.append((name[1], unescape(value[1])))
    return found
