"""A68: the map states routes with guards as written and as understood, siblings that differ, sinks and settings."""

import pytest

from counterproof.analysis.map import map_of
from counterproof.analysis.project import Project
from counterproof.model.map import Difference, Map, Route
from counterproof.model.recon import Asks

GUARDS = """
    from functools import wraps
    import flask
    from flask import abort, request, session

    def login_required(perm):
        def decorator(view):
            @wraps(view)
            def wrapper(*args, **kwargs):
                if not session.get("user"):
                    return flask.redirect("/login")
                perms = session.get("perms")
                if perm not in perms:
                    response = "Forbidden", 403
                else:
                    response = view(*args, **kwargs)
                return response
            return wrapper
        return decorator

    def local_only(view):
        @wraps(view)
        def wrapper(*args, **kwargs):
            if request.environ.get("HTTP_HOST") != "localhost:9666":
                return "Forbidden", 403
            return view(*args, **kwargs)
        return wrapper
"""
API = """
    perm_map = {}

    class Perms:
        ADD = 1
        MODIFY = 2

    def permission(bits):
        class Wrapper:
            def __new__(cls, method):
                perm_map[method.__name__] = bits
                return method
        return Wrapper

    class Api:
        def is_authorized(self, name, user):
            return perm_map.get(name) in user.permissions

        @permission(Perms.MODIFY)
        def order(self, key, place):
            self.db.execute("UPDATE packages SET place=? WHERE id=?", (place, key))

        @permission(Perms.ADD)
        def add(self, name):
            self.db.execute("INSERT INTO packages VALUES (?)", (name,))

        @permission(Perms.MODIFY)
        def rename(self, key, name):
            self.db.execute("UPDATE packages SET name=? WHERE id=?", (name, key))
"""
VIEWS = """
    import subprocess
    import flask
    from guards import local_only, login_required
    bp = flask.Blueprint("json", __name__)

    @bp.route("/order", methods=["POST"])
    @login_required("ADD")
    def order():
        api = flask.current_app.config["API"]
        api.order(flask.request.form["key"], flask.request.form["place"])
        return "ok"

    @bp.route("/add", methods=["POST"])
    @login_required("ADD")
    def add():
        api = flask.current_app.config["API"]
        api.add(flask.request.form["name"])
        return "ok"

    @bp.route("/rename", methods=["POST"])
    @login_required("MODIFY")
    def rename():
        api = flask.current_app.config["API"]
        api.rename(flask.request.form["key"], flask.request.form["name"])
        return "ok"

    @bp.route("/api/<func>", methods=["POST"])
    @login_required("ANY")
    def rpc(func):
        api = flask.current_app.config["API"]
        if not api.is_authorized(func, flask.g.user):
            return "no", 401
        return getattr(api, func)()

    @bp.route("/flash")
    @local_only
    def flash():
        return "ok"

    @bp.route("/reconnect")
    @bp.route("/again")
    def reconnect():
        program = flask.current_app.config.get("reconnect_script")
        subprocess.run(program)
        return "ok"
"""
APP = """
    import flask
    from views import bp
    PARTS = [bp]
    app = flask.Flask(__name__)
    for part in PARTS:
        app.register_blueprint(part)
    app.config["SESSION_COOKIE_SECURE"] = False
"""
PYTHON = {"guards.py": GUARDS, "api.py": API, "views.py": VIEWS, "app.py": APP}
EXPRESS = {
    "package.json": '{"name": "shop", "dependencies": {"express": "4"}}',
    "app.js": """
        const express = require("express");
        const passport = require("passport");
        const { requireRole, rateLimited } = require("./guards");
        const app = express();
        app.get("/open", (req, res) => res.send("x"));
        app.get("/mine", passport.authenticate("jwt"), (req, res) => res.send("x"));
        app.post("/things", requireRole("admin"), (req, res) => res.send("x"));
        app.get("/local", localOnly, (req, res) => res.send("x"));
        function localOnly(req, res, next) {
          if (req.headers.host !== "localhost") { return res.status(403).end(); }
          next();
        }
    """,
    "guards.js": """
        exports.requireRole = (role) => (req, res, next) => {
          if (!req.user || req.user.role !== role) { return res.status(403).end(); }
          next();
        };
    """,
}


def route(made: Map, path: str) -> Route:
    found = [each for each in made.routes if any(way.path == path for way in each.ways)]
    assert found, path
    return found[0]


@pytest.fixture
def python(make_project) -> Map:
    return map_of(make_project(PYTHON))


@pytest.mark.rule("A68")
@pytest.mark.rule("A9")
def test_decorator_with_argument_is_shown_as_written_and_as_the_right_it_asks_for(python: Map) -> None:
    (guard,) = route(python, "/order").guards
    assert (guard.text, guard.at.path, guard.asks, guard.right) == ('@login_required("ADD")', "views.py", Asks.ROLE, "ADD")
    assert guard.understood == "role ADD"


@pytest.mark.rule("A16")
@pytest.mark.rule("A68")
def test_host_header_check_is_an_address_and_no_identity(python: Map) -> None:
    (guard,) = route(python, "/flash").guards
    assert (guard.asks, guard.understood) == (Asks.ADDRESS, "address")


@pytest.mark.rule("A68")
def test_methods_dispatched_by_name_are_entry_points_with_their_permission(python: Map) -> None:
    found = route(python, "/api/order")
    assert found.name == "Api.order"
    assert [each.text for each in found.guards][-1] == "@permission(Perms.MODIFY)"
    assert found.guards[-1].understood == "role Perms.MODIFY"


@pytest.mark.rule("A68")
def test_two_ways_to_one_operation_with_different_rights_are_marked(python: Map) -> None:
    found = {each.shared: each for each in python.rights}
    assert "Api.order" in found
    assert found["Api.order"].difference is Difference.SAME_OPERATION
    assert {each.route: each.asks[-1] for each in found["Api.order"].ways} == {
        "POST /order": "role ADD",
        "POST /api/order": "role Perms.MODIFY",
    }
    assert "Api.add" not in {name for name, each in found.items() if len(each.ways) > 1 and "/rename" in str(each)}


@pytest.mark.rule("A68")
def test_handler_on_two_paths_is_one_route(python: Map) -> None:
    assert {each.path for each in route(python, "/again").ways} == {"/reconnect", "/again"}


@pytest.mark.rule("A68")
def test_setting_that_names_a_program_is_shown_with_the_command_it_ends_in(python: Map) -> None:
    (found,) = [each for each in python.settings if each.name == "reconnect_script"]
    assert found.used_as == ("command",)
    (sink,) = [each for each in python.sinks if each.kind == "command-execution"]
    assert str(sink.at) in {str(each) for each in found.used_at}
    assert sink.reached_by == (route(python, "/again").label,)


@pytest.mark.rule("A68")
def test_session_setting_and_host_header_are_facts_of_the_map(python: Map) -> None:
    assert [each.kind for each in python.sessions] == ["session setting"]
    assert "header http_host" in {each.kind for each in python.network}


@pytest.mark.rule("A68")
@pytest.mark.rule("A9")
def test_script_guards_are_shown_with_what_they_ask_for(make_project) -> None:
    made = map_of(make_project(EXPRESS))
    asked = {
        path: [(each.text, each.asks, each.right) for each in route(made, path).guards] for path in ("/open", "/mine", "/things")
    }
    assert asked["/open"] == []
    assert asked["/mine"] == [('passport.authenticate("jwt")', Asks.IDENTITY, "")]
    assert asked["/things"] == [('requireRole("admin")', Asks.ROLE, "admin")]
    assert [each.asks for each in route(made, "/local").guards] == [Asks.ADDRESS]


@pytest.mark.rule("A9")
def test_guard_that_cannot_be_read_says_so_with_text_and_place(make_project) -> None:
    made = map_of(
        make_project(
            {
                "app.py": """
                from flask import Flask
                from elsewhere import auth_gate
                app = Flask(__name__)
                @app.route("/x")
                @auth_gate(level=3)
                def x():
                    return "x"
            """
            }
        )
    )
    (guard,) = route(made, "/x").guards
    assert guard.understood == "not understood: @auth_gate(level=3) at app.py:5"


@pytest.mark.rule("A68")
def test_guards_of_other_languages_are_shown_as_text_alone(make_project) -> None:
    made = map_of(
        make_project(
            {
                "main.go": """
                package main
                import "github.com/gin-gonic/gin"
                func main() {
                    r := gin.Default()
                    g := r.Group("/api", AuthRequired())
                    g.GET("/things", things)
                    r.Run()
                }
            """
            }
        )
    )
    asked = {each.asks for one in made.routes for each in one.guards}
    assert asked == {Asks.NOT_ANALYSED}


@pytest.mark.rule("A68")
def test_route_that_asks_nothing_among_guarded_ones_is_marked(make_project) -> None:
    views = "\n".join(
        f'@app.route("/{name}")\n@login_required\ndef {name}(): return "x"\n' for name in ("one", "two", "three", "four")
    )
    head = "from flask import Flask\nfrom flask_login import login_required\napp = Flask(__name__)\n"
    text = f'{head}{views}\n@app.route("/five")\ndef five(): return "x"\n'
    project: Project = make_project({"app.py": text})
    (found,) = map_of(project).rights
    assert found.difference is Difference.ODD_ONE_OUT
    assert (found.ways[0].route, found.ways[0].asks) == ("GET /five", ("nothing",))
