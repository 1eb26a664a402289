"""Creates users of the target: signs up and signs in through the routes on its map.

Invariant: an account is created by requests that anybody could send, with a random name and password.
"""

import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from counterproof.demonstration.actions import Request
from counterproof.demonstration.sandbox.running import Sandbox
from counterproof.demonstration.visit import INPUT_TAG, Visit, cookies_in, fields_of, kind_of, visit
from counterproof.model.recon import EntryKind, EntryPoint

MAX_ROUTES: Final = 3
_SIGN_UP: Final = re.compile(r"(?:^|[/_-])(?:sign_?-?up|register|registration|create_?-?(?:account|user)|join)/?$", re.I)
_SIGN_IN: Final = re.compile(r"(?:^|[/_-])(?:sign_?-?in|log_?-?in|login|authenticate|token)/?$", re.I)
_TOKEN: Final = re.compile(r"\"\w*token\w*\"\s*:\s*\"([^\"\s]{8,})\"|(eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]{5,})", re.I)
_TAKEN: Final = (200, 201, 202, 204, 301, 302, 303)


@dataclass(frozen=True, slots=True)
class Ways:
    """The paths at which the application signs users up and in."""

    up: tuple[str, ...] = ()
    into: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """A user, with the credentials for its requests."""

    name: str
    password: str
    visit: Visit = field(default_factory=Visit)
    how: str = "the visitor signed up and in first"


def ways_of(entries: tuple[EntryPoint, ...]) -> Ways:
    """The application's own routes for signing up and in."""
    paths = [f"/{each.path.lstrip('/')}" for each in entries if each.kind is EntryKind.HTTP and not set(each.path) & set("<{:(")]
    up, into = (tuple(dict.fromkeys(filter(form.search, paths)))[:MAX_ROUTES] for form in (_SIGN_UP, _SIGN_IN))
    return Ways(up, into)


def account(sandbox: Sandbox, ways: Ways, seconds: float) -> Account | None:
    """A new signed-in user; None if it cannot be created."""
    mine = Account(f"u{secrets.token_hex(4)}", f"Pw-{secrets.token_hex(6)}")
    if not ways.into or not any(_sent(sandbox, path, mine, seconds) for path in ways.up):
        return None
    for path in ways.into:
        if signed_in := _sent(sandbox, path, mine, seconds):
            return signed_in
    return None


def lent_session(sandbox: Sandbox, seconds: float) -> Account | None:
    """A visitor with a session that the harness made in the target's own store; None if it has none."""
    answer, _ = sandbox.ask({"do": "session"}, seconds)
    cookies = tuple((str(each[0]), str(each[-1])) for each in cast("list[Any]", answer.get("found") or []) if each)
    return Account("", "", Visit(cookies), "the visitor had a session, which was made in the sandbox") if cookies else None


def _sent(sandbox: Sandbox, path: str, mine: Account, seconds: float) -> Account | None:
    """The user after the form or call was accepted; None if it was rejected."""
    before = visit(sandbox, Request("GET", path), seconds)
    page, _ = sandbox.ask(before.applied(Request("GET", path)).sent(), seconds)
    before = replace(before, cookies=tuple((dict(before.cookies) | dict(cookies_in(page))).items()))
    fields = dict(fields_of(str(page.get("body", "")), mine.name, mine.password))
    usual = {"username": mine.name, "email": f"{mine.name}@example.com", "password": mine.password}
    confirmed = {**usual, "name": mine.name, "password2": mine.password, "confirm_password": mine.password}
    post = Request("POST", path)
    tries = [replace(post, form=tuple(fields.items()))] if mine.password in fields.values() else []
    tries += [replace(post, json=json.dumps(each)) for each in (usual, confirmed)]
    tries += [replace(post, form=tuple(confirmed.items()))] if not fields else []
    for each in tries:
        answer, _ = sandbox.ask(before.applied(each).sent(), seconds)
        if answer.get("status") not in _TAKEN or _shows_form_again(answer):
            continue
        cookies = dict(before.cookies) | dict(cookies_in(answer))
        headers = tuple(("Authorization", f"Bearer {token}") for token in list(_tokens(str(answer.get("body", ""))))[:1])
        return replace(mine, visit=Visit(tuple(cookies.items()), (), headers))
    return None


def _shows_form_again(answer: dict[str, Any]) -> bool:
    """True if the page has a password field again: the form was rejected."""
    body = str(answer.get("body", ""))
    return answer.get("status") == 200 and any(kind_of(tag) == "password" for tag in INPUT_TAG.findall(body)[:200])


def _tokens(body: str) -> Iterator[str]:
    """Tokens that an API returns after signing in: a field with such a name, or a signed token."""
    for field_value, signed in _TOKEN.findall(body):
        yield field_value or signed
