"""A68: what guards ask for in the forms that projects give them, and which calls make two routes ways to one operation."""

import pytest

from counterproof.analysis.map import map_of
from counterproof.model.map import Map, Route

FLASK = """
    from flask import Flask, abort, redirect, request, session
    from guards import admin_only, in_time, store
    app = Flask(__name__)

    @app.before_request
    def banned():
        if request.endpoint == "logo":
            return
        if session.get("user"):
            if session["user"].role == "banned":
                abort(403)

    @app.route("/open", methods=["POST"])
    def open_():
        store("theme", request.form["theme"])
        return "x"

    @app.route("/any", methods=["POST"])
    def any_():
        store(request.form["name"], request.form["value"])
        return "x"

    @app.route("/all", methods=["POST"])
    @admin_only
    def all_():
        store(request.form["name"], request.form["value"])
        return "x"

    @app.route("/late", methods=["POST"])
    @in_time
    def late():
        return "x"
"""
GUARDS = """
    import sqlite3
    from functools import wraps
    from flask import abort, session

    def admin_only(view):
        @wraps(view)
        def inner(*args):
            if not session.get("admin"):
                abort(403)
            return view(*args)
        return inner

    def in_time(view):
        @wraps(view)
        def inner(*args):
            if contest_runs():
                return view(*args)
            abort(403)
        return inner

    def contest_runs():
        return clock() > 3

    def store(name, value):
        sqlite3.connect("x").execute("INSERT INTO settings VALUES (?, ?)", (name, value))
"""
FASTAPI = """
    from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request
    from denied import Denied

    def current_user(request: Request):
        user = request.session.get("user")
        if not user:
            raise Denied
        return user

    def connection():
        return open("x")

    class Gate:
        def __init__(self, levels):
            self.levels = levels
        def __call__(self, request: Request):
            for each in self.levels:
                each(request)

    inner = APIRouter()
    outer = APIRouter()
    app = FastAPI()

    @inner.get("/things", dependencies=[Depends(Gate(["edit"]))])
    def things(db=Depends(connection)):
        return []

    outer.include_router(inner, prefix="/in", dependencies=[Depends(current_user)])
    app.include_router(outer)
"""
RESTX = """
    from flask import Blueprint, Flask
    from flask_restx import Api, Namespace, Resource
    tags = Namespace("tags")
    part = Blueprint("api", __name__, url_prefix="/api/v1")
    api = Api(part)
    api.add_namespace(tags, "/labels")
    app = Flask(__name__)
    app.register_blueprint(part)

    @tags.route("/<key>")
    class Tag(Resource):
        def get(self, key):
            return key
"""
NEST = {
    "src/main.ts": "import { NestFactory } from '@nestjs/core';\nNestFactory.create(AppModule);\n",
    "src/paths.ts": "export enum Paths {\n  Assets = 'assets',\n}\n",
    "src/guard.ts": """
        import { CanActivate, SetMetadata, applyDecorators } from '@nestjs/common';
        export const Checked = (options) => applyDecorators(SetMetadata('checked', options));
        export class Guard implements CanActivate {
          canActivate(context) {
            const request = context.getRequest();
            if (!request.user) { throw new UnauthorizedException(); }
            return true;
          }
        }
        """,
    "src/assets.ts": """
        import { Controller, Get, UseGuards } from '@nestjs/common';
        import { Paths } from './paths';
        import { Checked, Guard } from './guard';
        @Controller(Paths.Assets)
        @UseGuards(Guard)
        export class Assets {
          @Get('all')
          @Checked({ permission: Permission.Read })
          all() { return []; }
        }
        """,
}


def routes(made: Map) -> dict[str, Route]:
    return {way.path: each for each in made.routes for way in each.ways}


@pytest.fixture
def flask(make_project) -> Map:
    return map_of(make_project({"app.py": FLASK, "guards.py": GUARDS}))


@pytest.mark.rule("A16")
@pytest.mark.rule("A68")
def test_hook_that_refuses_only_known_callers_asks_nothing(flask: Map) -> None:
    assert {(each.text, each.understood) for each in routes(flask)["/open"].guards} == {("def banned():", "nothing")}


@pytest.mark.rule("A68")
def test_decorator_that_asks_nothing_of_callers_is_shown_as_written(flask: Map) -> None:
    assert "@in_time" in {each.text for each in routes(flask)["/late"].guards}


@pytest.mark.rule("A68")
def test_call_with_literals_is_another_operation(flask: Map) -> None:
    (found,) = flask.rights
    assert found.shared == "store"
    assert {each.route for each in found.ways} == {"POST /any", "POST /all"}


@pytest.mark.rule("A9")
@pytest.mark.rule("A68")
def test_dependencies_of_nested_routers_are_shown_and_those_for_values_are_not(make_project) -> None:
    found = routes(map_of(make_project({"app.py": FASTAPI})))["/in/things"]
    assert {each.text: each.understood.partition(":")[0] for each in found.guards} == {
        "Depends(current_user)": "identity",
        'Depends(Gate(["edit"]))': "not understood",
    }


@pytest.mark.rule("A9")
def test_route_of_a_namespace_has_the_path_that_it_is_added_under(make_project) -> None:
    assert list(routes(map_of(make_project({"app.py": RESTX})))) == ["/api/v1/labels/<key>"]


@pytest.mark.rule("A9")
@pytest.mark.rule("A68")
def test_nest_guard_class_is_understood_and_metadata_is_shown(make_project) -> None:
    found = routes(map_of(make_project(NEST)))["/assets/all"]
    assert {each.text: each.understood for each in found.guards} == {
        "@UseGuards(Guard)": "identity",
        "Checked({ permission: Permission.Read })": "role Permission.Read",
    }


@pytest.mark.rule("A68")
def test_a_schema_that_a_validator_is_given_is_no_guard(make_project) -> None:
    files = {
        "routes.js": """
            const express = require('express');
            const auth = require('./auth');
            const validate = require('./validate');
            const authSchema = require('./authSchema');
            const router = express.Router();
            const limits = [auth('orders'), validate(authSchema.create)];
            router.post('/login', validate(authSchema.login), (req, res) => res.send('x'));
            router.post('/orders', limits, (req, res) => res.send('x'));
            module.exports = router;
        """,
        "authSchema.js": "const login = { body: {} };\nconst create = { body: {} };\nmodule.exports = { login, create };\n",
        "validate.js": """
            module.exports = (schema) => (req, res, next) => {
              if (schema.check(req.body)) return next(new Error('bad request'));
              return next();
            };
        """,
        "auth.js": """
            module.exports = (right) => (req, res, next) => {
              if (!req.user || !req.user.rights.includes(right)) return res.status(403).end();
              next();
            };
        """,
    }
    routes = {each.label: each for each in map_of(make_project(files)).routes}
    assert routes["POST /login"].guards == ()
    assert [each.text for each in routes["POST /orders"].guards] == ["auth('orders')"]
