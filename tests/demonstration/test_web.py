"""Web applications of Python (A66): the harness finds the application, makes its tables, visits its forms, and asks it."""

from pathlib import Path

import pytest

from counterproof.analysis.source.survey import survey
from counterproof.demonstration.actions import INPUT, Request
from counterproof.demonstration.course import Subject
from counterproof.demonstration.demonstrate import Shown, Unshown, demonstrate
from counterproof.demonstration.subjects import PYTHON, parsed
from counterproof.demonstration.targets import candidates, makers, python_for
from counterproof.demonstration.templates import Effect, templates_for
from demonstration.here import needs_sandbox

pytestmark = pytest.mark.rule("A66")

SERVER = """
import html
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        name = parse_qs(urlsplit(self.path).query).get("name", [""])[0]
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(("<p>Hello " + name).encode())

    def log_message(self, *given):
        pass


if __name__ == "__main__":
    HTTPServer(("127.0.0.1", 8080), Handler).serve_forever()
"""
SERVER_FIXED = SERVER.replace('"<p>Hello " + name', '"<p>Hello " + html.escape(name)')
APPLICATION = """
import sqlite3

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route


def init_db():
    base = sqlite3.connect("shop.sqlite")
    base.execute("create table product (id integer, name text)")
    base.commit()


async def form(request):
    fields = "<input name=csrf_token value=abc123><input name=term><select name=shelf></select>"
    answer = HTMLResponse(f"<form method=post>{fields}</form>")
    answer.set_cookie("visitor", "abc123")
    return answer


async def find(request):
    sent = await request.form()
    if sent.get("csrf_token") != "abc123" or request.cookies.get("visitor") != "abc123":
        return JSONResponse({"error": "no token"}, 403)
    base = sqlite3.connect("shop.sqlite")
    rows = base.execute("select name from product where name = '" + sent["term"] + "'").fetchall() if sent.get("shelf") else []
    return JSONResponse({"rows": rows})


app = Starlette(routes=[Route("/find", form, methods=["GET"]), Route("/find", find, methods=["POST"])])
"""
APPLICATION_FIXED = APPLICATION.replace('name = \'" + sent["term"] + "\'")', 'name = ?", (sent["term"],))')


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    needs_sandbox()


def tried(
    folder: Path, rule: str, code: str, request: Request, python: Path | None = None, seconds: float = 60
) -> Shown | Unshown:
    (folder / "app.py").write_text(code)
    found = survey(folder)
    start = {"do": "start", "candidates": candidates(folder, found, "app.py"), "makers": makers(folder, found)}
    subject = Subject(folder, python_for(folder, python), PYTHON, start, (request,), templates_for(rule, "python"))
    return demonstrate(subject, seconds)


def test_a_server_of_its_own_is_started_and_asked(tmp_path: Path) -> None:
    shown = tried(tmp_path, "xss", SERVER, Request("GET", "/", (("name", INPUT),)))
    assert isinstance(shown, Shown), shown
    assert shown.effect is Effect.MARKUP


def test_its_fixed_twin_shows_nothing(tmp_path: Path) -> None:
    unshown = tried(tmp_path, "xss", SERVER_FIXED, Request("GET", "/", (("name", INPUT),)))
    assert isinstance(unshown, Unshown)
    assert unshown.started, unshown


def own_python() -> Path:
    """The environment of the tests, which has Starlette."""
    import sys

    return Path(sys.executable)


FORM = Request("POST", "/find", form=(("term", INPUT),))


def test_an_application_is_found_set_up_and_visited_before_its_form_is_sent(tmp_path: Path) -> None:
    pytest.importorskip("multipart", reason="the parser of forms is not installed")
    shown = tried(tmp_path, "sql-injection", APPLICATION, FORM, own_python())
    assert isinstance(shown, Shown), shown
    assert shown.effect is Effect.TRUTH


def test_the_fixed_application_shows_nothing(tmp_path: Path) -> None:
    pytest.importorskip("multipart", reason="the parser of forms is not installed")
    unshown = tried(tmp_path, "sql-injection", APPLICATION_FIXED, FORM, own_python())
    assert isinstance(unshown, Unshown)
    assert "status 200" in unshown.reason


@pytest.mark.parametrize(
    ("command", "payload", "request_"),
    [
        ("curl 'http://localhost:8000/a?q=%3Cb%3E'", "<b>", Request("GET", "/a", (("q", INPUT),))),
        ("curl -X POST --data-urlencode 'q=; id' 'http://localhost:8000/a'", "; id", Request("POST", "/a", form=(("q", INPUT),))),
        ("curl --cookie 'c=%3B%20id' 'http://localhost:8000/a'", "; id", Request("GET", "/a", cookies=(("c", INPUT),))),
        (
            "curl -X POST -H 'Content-Type: application/json' -d '{\"a\": \"; id\"}' 'http://localhost:8000/a/<int:n>'",
            "; id",
            Request("POST", "/a/1", json=f'{{"a": "{INPUT}"}}'),
        ),
        (
            "curl -X POST -F 'f=@sample.txt;filename=x.py' 'http://localhost:8000/a'",
            "x.py",
            Request("POST", "/a", files=(("f", INPUT, "sample"),)),
        ),
        ("curl 'http://localhost:8000/a'", "; id", None),
    ],
)
def test_the_request_of_a_finding_becomes_one_with_a_place_for_the_input(
    command: str, payload: str, request_: Request | None
) -> None:
    assert parsed(command, payload) == request_


OPEN = """
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


async def own(request):
    if request.cookies.get("session") != "known":
        return JSONResponse({"error": "log in"}, 401)
    return JSONResponse({"orders": []})


async def every(request):
    return JSONResponse({"customers": ["one"]})


app = Starlette(routes=[Route("/own", own), Route("/every", every)])
"""


@pytest.mark.parametrize("path", ["/every", "/own"])
def test_an_entry_without_a_login_is_shown_beside_one_that_refuses(path: str, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(OPEN)
    start = {"do": "start", "candidates": candidates(tmp_path, survey(tmp_path), "app.py"), "makers": []}
    templates, peers = templates_for("missing-authentication", "python"), (Request("GET", "/own"),)
    python = python_for(tmp_path, own_python())
    subject = Subject(tmp_path, python, PYTHON, start, (Request("GET", path),), templates, peers=peers)
    assert isinstance(demonstrate(subject, 60), Shown) is (path == "/every")


def test_an_entry_without_a_login_is_not_shown_where_nothing_refuses(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(OPEN)
    start = {"do": "start", "candidates": candidates(tmp_path, survey(tmp_path), "app.py"), "makers": []}
    templates, peers = templates_for("missing-authentication", "python"), (Request("GET", "/every"),)
    python = python_for(tmp_path, own_python())
    subject = Subject(tmp_path, python, PYTHON, start, (Request("GET", "/every"),), templates, peers=peers)
    assert isinstance(demonstrate(subject, 60), Unshown)


SESSIONS = """
import contextlib
import json
import os
import subprocess


class Sessions:
    def get_signing_serializer(self, application):
        return self

    def dumps(self, values):
        return json.dumps(values).encode().hex()


class Application:
    config = {"SESSION_COOKIE_NAME": "session"}
    session_interface = Sessions()
    app_context = staticmethod(contextlib.nullcontext)

    def __init__(self):
        self.view_functions = {"ping": ping}

    def wsgi_app(self, environ, start_response):
        return ping(environ, start_response)

    __call__ = wsgi_app


def sign_in(session, row):
    session["user"] = row["id"]


def ping(environ, start_response):
    os.makedirs("/app/instance", exist_ok=True)
    sent = environ.get("HTTP_COOKIE", "").partition("session=")[2]
    if not sent or "user" not in json.loads(bytes.fromhex(sent)):
        start_response("302 Found", [("Location", "/login")])
        return [b""]
    start_response("200 OK", [])
    return [subprocess.run("echo " + environ["HTTP_X_NAME"], shell=True, capture_output=True).stdout]


app = Application()
# Flask(__name__)
"""
PING = Request("GET", "/ping", headers=(("X-Name", INPUT),))


def test_a_visitor_gets_a_session_where_nobody_can_sign_up_and_folders_of_a_container_are_there(tmp_path: Path) -> None:
    shown = tried(tmp_path, "command-injection", SESSIONS, PING)
    assert isinstance(shown, Shown), shown
    assert shown.session == "the visitor had a session, which was made in the sandbox"


def test_a_visitor_gets_no_session_that_the_code_never_sets(tmp_path: Path) -> None:
    code = SESSIONS.replace('session["user"] =', 'session["name"] =')
    assert isinstance(tried(tmp_path, "command-injection", code, PING), Unshown)


BLIND = """
import sqlite3

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


async def note(request):
    base = sqlite3.connect(":memory:")
    base.execute("create table visit (name text)")
    base.execute("insert into visit values ('a')")
    try:
        base.execute("select 1 from visit where name = '" + request.query_params["name"] + "'").fetchone()
    except sqlite3.Error:
        pass
    return JSONResponse({})


app = Starlette(routes=[Route("/note", note)])
"""
NOTE = Request("GET", "/note", (("name", INPUT),))


@pytest.mark.nightly
def test_an_injection_whose_result_is_dropped_shows_by_its_time(tmp_path: Path) -> None:
    shown = tried(tmp_path, "sql-injection", BLIND, NOTE, own_python(), 180)
    assert isinstance(shown, Shown), shown
    assert shown.effect is Effect.SLOW


@pytest.mark.nightly
def test_a_bound_value_takes_no_time(tmp_path: Path) -> None:
    code = BLIND.replace('name = \'" + request.query_params["name"] + "\'")', 'name = ?", (request.query_params["name"],))')
    assert code != BLIND
    assert isinstance(tried(tmp_path, "sql-injection", code, NOTE, own_python()), Unshown)
