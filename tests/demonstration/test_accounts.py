"""Users of the target's own (A66): they sign up and in by the application's routes, and a row of one is another's only if the
application itself keeps it apart elsewhere."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from counterproof.analysis.source.survey import survey
from counterproof.demonstration.accounts import Ways, ways_of
from counterproof.demonstration.actions import INPUT, Request
from counterproof.demonstration.course import Subject
from counterproof.demonstration.demonstrate import Shown, Unshown, demonstrate
from counterproof.demonstration.subjects import PYTHON
from counterproof.demonstration.targets import candidates, makers, python_for
from counterproof.demonstration.templates import Effect, templates_for
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from demonstration.here import needs_sandbox

pytestmark = pytest.mark.rule("A66")

APPLICATION = """
import json
import os
import secrets
import sqlite3
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.routing import Route

BASE = "shop.sqlite"
SESSIONS = {}
PAGE = "<form method=post><input name=login type=text><input name=secret type=password><input type=submit name=go></form>"


def init_db():
    base = sqlite3.connect(BASE)
    base.execute("create table person (id integer primary key, login text, secret text)")
    base.execute("create table note (id integer primary key, text text, owner integer references person(id))")
    base.commit()


def query(text, *values):
    base = sqlite3.connect(BASE)
    rows = base.execute(text, values).fetchall()
    base.commit()
    return rows


def user(request):
    return SESSIONS.get(request.cookies.get("session"))


async def register(request):
    if request.method == "GET":
        return HTMLResponse(PAGE)
    form = parse_qs((await request.body()).decode())
    query("insert into person (login, secret) values (?, ?)", form["login"][0], form["secret"][0])
    return RedirectResponse("/login", 303)


async def login(request):
    if request.method == "GET":
        return HTMLResponse(PAGE)
    form = parse_qs((await request.body()).decode())
    found = query("select id from person where login = ? and secret = ?", form["login"][0], form["secret"][0])
    if not found:
        return HTMLResponse(PAGE)
    key = secrets.token_hex(8)
    SESSIONS[key] = found[0][0]
    answer = RedirectResponse("/", 303)
    answer.set_cookie("session", key)
    return answer


async def ping(request):
    if user(request) is None:
        return RedirectResponse("/login", 302)
    return JSONResponse(os.system("echo " + request.query_params.get("host", "")))


async def note(request):
    if user(request) is None:
        return JSONResponse({}, 401)
    return JSONResponse(query("select text from note where id = ?", request.path_params["number"]))


async def kept(request):
    if user(request) is None:
        return JSONResponse({}, 401)
    return JSONResponse(query("select text from note where id = ? and owner = ?", request.path_params["number"], user(request)))


app = Starlette(routes=[
    Route("/register", register, methods=["GET", "POST"]),
    Route("/login", login, methods=["GET", "POST"]),
    Route("/ping", ping),
    Route("/note/{number}", note),
    Route("/own/{number}", kept),
])
"""
WAYS = Ways(("/register",), ("/login",))


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    needs_sandbox()


def subject(folder: Path, rule: str, request: Request, ways: Ways = WAYS, text: str = APPLICATION) -> Subject:
    (folder / "app.py").write_text(text)
    seen = survey(folder)
    start = {"do": "start", "candidates": candidates(folder, seen, "app.py"), "makers": makers(folder, seen)}
    python = python_for(folder, Path(sys.executable))
    return Subject(folder, python, PYTHON, start, (request,), templates_for(rule, "python"), ways=ways)


PING = Request("GET", "/ping", (("host", INPUT),))


def test_a_flaw_behind_a_login_is_reached_by_a_user_who_signed_up(tmp_path: Path) -> None:
    shown = demonstrate(subject(tmp_path, "command-injection", PING))
    assert isinstance(shown, Shown), shown
    assert (shown.effect, shown.session) == (Effect.MARK, "the visitor signed up and in first")


def test_without_a_route_to_sign_up_it_stays_closed(tmp_path: Path) -> None:
    unshown = demonstrate(subject(tmp_path, "command-injection", PING, Ways()))
    assert isinstance(unshown, Unshown)
    assert "status 302" in unshown.reason


def rows_of(folder: Path, path: str, *peers: str, text: str = APPLICATION) -> Shown | Unshown:
    made = subject(folder, "missing-ownership-check", Request("GET", f"{path}/{INPUT}"), text=text)
    return demonstrate(replace(made, peers=tuple(Request("GET", f"{each}/{INPUT}") for each in peers)))


def test_a_row_that_another_entry_keeps_from_a_second_user_is_shown(tmp_path: Path) -> None:
    shown = rows_of(tmp_path, "/note", "/own")
    assert isinstance(shown, Shown), shown
    assert shown.effect is Effect.OTHERS


def test_an_entry_that_asks_for_the_owner_shows_nothing(tmp_path: Path) -> None:
    assert isinstance(rows_of(tmp_path, "/own", "/own"), Unshown)


def test_what_no_entry_keeps_apart_is_nobodys(tmp_path: Path) -> None:
    assert isinstance(rows_of(tmp_path, "/note", "/note"), Unshown)


def test_what_a_visitor_without_a_session_gets_is_no_row_of_anybody(tmp_path: Path) -> None:
    public = APPLICATION.replace(
        "async def note(request):\n    if user(request) is None:\n        return JSONResponse({}, 401)\n",
        "async def note(request):\n",
    )
    assert public != APPLICATION
    assert isinstance(rows_of(tmp_path, "/note", "/own", text=public), Unshown)


def test_the_map_says_where_users_sign_up_and_in() -> None:
    paths = ("/auth/register", "/users/login", "/catalogin", "/login/<name>", "/blog")
    entries = tuple(EntryPoint(EntryKind.HTTP, "POST", each, at("app.py", 1), "x") for each in paths)
    assert ways_of(entries) == Ways(("/auth/register",), ("/users/login",))
