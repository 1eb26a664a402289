"""What guards ask for where projects combine, pass on or list them, and how much the map could compare (A9, A68)."""

import pytest

from counterproof.analysis.map import map_of
from counterproof.analysis.recon import reconnoitre
from counterproof.model.map import Map, Route
from counterproof.model.recon import Asks
from counterproof.reports.map.document import compared, document, totals

SETTINGS = 'ROOT_URLCONF = "app.urls"\nINSTALLED_APPS = ["app"]\n'
PERMISSIONS = """
    from rest_framework import permissions

    class OfOwner(permissions.BasePermission):
        def __init__(self, field):
            self.field = field

        def has_permission(self, request, view):
            return True

        def has_object_permission(self, request, view, item):
            if request.method in permissions.SAFE_METHODS:
                return True
            return item.owner == request.user
"""
EXPRESS = "const express = require('express');\nconst app = express();\n"
AUTH = """
    const passport = require('passport');
    const auth = (...requiredRights) => async (req, res, next) => {
      if (!req.user) { return res.status(401).send(); }
      if (requiredRights.length && !rightsOf(req.user.role).includes(requiredRights)) { return res.status(403).send(); }
      next();
    };
    module.exports = auth;
"""


def one(made: Map, path: str) -> Route:
    return next(each for each in made.routes if any(way.path == path for way in each.ways))


def asks(route: Route) -> list[str]:
    return [f"{each.asks} {each.right}".strip() + (", partly" if each.partly else "") for each in route.guards]


@pytest.mark.rule("A68")
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[IsAuthenticated & IsAdminUser]", ["identity", "role staff"]),
        ("[IsAdminUser | IsAuthenticated]", ["not understood"]),
        ("[~IsAuthenticated]", ["not understood"]),
        ("[]", ["nothing"]),
        ("[OfOwner('author')]", ["owner, partly"]),
        ("[IsAuthenticated()]", ["identity"]),
    ],
)
def test_map_permission_classes_are_read_as_written(make_project, written: str, expected: list[str]) -> None:
    view = f"""
    from rest_framework.permissions import IsAdminUser, IsAuthenticated
    from rest_framework.views import APIView
    from app.permissions import OfOwner

    class Orders(APIView):
        permission_classes = {written}

        def get(self, request):
            return 1
    """
    urls = "from django.urls import path\nfrom app import views\nurlpatterns = [path('orders', views.Orders.as_view())]\n"
    files = {"app/__init__.py": "", "app/settings.py": SETTINGS, "app/urls.py": urls, "app/permissions.py": PERMISSIONS}
    route = one(map_of(make_project({**files, "app/views.py": view})), "/orders")
    assert asks(route) == expected
    assert all(written in each.text for each in route.guards)


@pytest.mark.rule("A68")
def test_map_guard_factory_without_a_right_asks_for_a_login(make_project) -> None:
    code = EXPRESS + (
        "const auth = require('./auth');\napp.get('/a', auth(), (req, res) => res.send(1));\n"
        "app.get('/b', auth('manage'), (req, res) => res.send(1));\n"
    )
    made = map_of(make_project({"server.js": code, "auth.js": AUTH}))
    assert asks(one(made, "/a")) == ["identity"]
    assert asks(one(made, "/b")) == ["role manage"]


@pytest.mark.rule("A68")
def test_map_error_handler_is_no_guard(make_project) -> None:
    code = EXPRESS + (
        "app.use((error, req, res, next) => { if (!req.user) { return res.status(401).send(error); } next(error); });\n"
        "app.get('/a', (req, res) => res.send(1));\n"
    )
    assert one(map_of(make_project({"server.js": code})), "/a").guards == ()


@pytest.mark.rule("A9")
def test_map_routers_of_a_list_are_mounted_under_their_paths(make_project) -> None:
    code = EXPRESS + (
        "const orders = express.Router();\norders.get('/all', (req, res) => res.send(1));\n"
        "const routes = [{ path: '/orders', route: orders }];\nroutes.forEach((each) => { app.use(each.path, each.route); });\n"
    )
    found = {way.path for each in map_of(make_project({"server.js": code})).routes for way in each.ways}
    assert "/orders/all" in found


@pytest.mark.rule("A68")
def test_map_guard_that_a_caller_passes_is_read_where_it_is_made(make_project) -> None:
    routes = "const express = require('express');\nexports.make = (verify) => {\n  const router = express.Router();\n"
    routes += "  router.get('/a', verify, (req, res) => res.send(1));\n  return router;\n};\n"
    guard = "const guard = (req, res, next) => { if (!req.user) { return res.status(401).send(); } next(); };\n"
    code = EXPRESS + "const { make } = require('./routes');\n" + guard + "app.use(make(guard));\n"
    assert asks(one(map_of(make_project({"server.js": code, "routes.js": routes})), "/a")) == ["identity"]


@pytest.mark.rule("A68")
def test_map_hook_that_ends_for_another_reason_is_no_guard(make_project) -> None:
    code = """
    from fastapi import FastAPI
    from fastapi.responses import JSONResponse
    app = FastAPI()

    @app.middleware("http")
    async def schema(request, call_next):
        session = None
        if request.path_params.get("shop") not in SHOPS:
            return JSONResponse({}, status_code=500)
        try:
            response = await call_next(request)
        finally:
            if session is not None:
                session.close()
        return response

    @app.get("/a")
    def a():
        return 1
    """
    assert one(map_of(make_project({"main.py": code})), "/a").guards == ()


@pytest.mark.rule("A68")
def test_map_hook_that_refuses_wrong_credentials_only_asks_for_nothing(make_project) -> None:
    code = """
    from flask import Flask, abort, request
    app = Flask(__name__)

    @app.before_request
    def keys():
        key = key_of(request)
        if request.user.is_authenticated:
            return
        if key:
            user = user_of(key)
            if not user:
                abort(401)

    @app.get("/a")
    def a():
        return 1
    """
    assert asks(one(map_of(make_project({"main.py": code})), "/a")) == ["nothing"]


@pytest.mark.rule("A68")
def test_map_route_registrations_are_no_statements_and_pages_run_in_the_browser(make_project) -> None:
    code = EXPRESS + "app.get('/orders', list);\ndb.get('select * from orders where id = ' + id, show);\n"
    page = "import React from 'react';\nexport const load = (id) => fetch('/api/' + id);\ndocument.body.innerHTML = load(1);\n"
    made = map_of(make_project({"server.js": code, "client/app.js": page}))
    assert [(each.at.path, each.at.start) for each in made.sinks if each.kind == "sql"] == [("server.js", 4)]
    assert {each.at.path for each in made.sinks if each.in_browser} == {"client/app.js"}


@pytest.mark.rule("A9")
def test_map_and_audit_count_entry_points_alike(make_project) -> None:
    code = """
    from flask import Flask
    app = Flask(__name__)

    @app.route("/a", methods=["GET"])
    @app.route("/b", methods=["GET"])
    def a():
        return 1

    if __name__ == "__main__":
        app.run()
    """
    project = make_project({"main.py": code})
    shown = document(map_of(project))
    assert totals(shown) == "2 web routes, 1 script or public function"
    assert reconnoitre(project).counted == shown.web_routes + shown.other_entry_points == 2


@pytest.mark.rule("A68")
def test_map_says_how_many_groups_could_be_compared(make_project) -> None:
    guards = "from elsewhere import odd\n"
    routes = "".join(f"@app.get('/{name}')\n@odd\ndef {name}():\n    return 1\n\n\n" for name in "abcd")
    code = f"from flask import Flask\n{guards}app = Flask(__name__)\n\n\n{routes}"
    shown = document(map_of(make_project({"main.py": code})))
    assert {each.asks for each in map_of(make_project({"main.py": code})).routes[0].guards} == {Asks.NOT_UNDERSTOOD}
    assert compared(shown) == "No differences in 0 compared groups; 1 of 1 group not compared: guards not understood"
