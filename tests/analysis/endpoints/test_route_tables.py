"""Routes and routers that a loop adds from a table, and what surrounds the objects they are added to."""

import pytest

from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.endpoints.tables import MAX_ROWS
from counterproof.model.recon import EntryKind, Guard


def table(project) -> dict[tuple[str, str], tuple[str, Guard]]:
    return {(each.method, each.path): (each.name, each.guard) for each in entry_points(project) if each.path.startswith("/")}


def test_a_loop_over_a_table_adds_every_row(make_project) -> None:
    project = make_project(
        {
            "site.py": """
                from aiohttp import web
                async def list_all(request): return web.Response()
                async def show(request): return web.Response()
                ROWS = [("GET", "/all", list_all), ("POST", "/one/{id}", show)]
                def add(app):
                    for row in ROWS:
                        app.router.add_route(row[0], row[1], row[2])
                    for path, view in (("/x", show), ("/y", list_all)):
                        app.router.add_get(path, view)
                    for each in [("PUT", "/z", show)]:
                        app.router.add_route(*each)
                app = web.Application()
                add(app)
            """
        }
    )
    assert table(project) == {
        ("GET", "/all"): ("list_all", Guard.ABSENT),
        ("POST", "/one/{id}"): ("show", Guard.ABSENT),
        ("GET", "/x"): ("show", Guard.ABSENT),
        ("GET", "/y"): ("list_all", Guard.ABSENT),
        ("PUT", "/z"): ("show", Guard.ABSENT),
    }


def test_a_module_of_routes_need_not_import_the_framework(make_project) -> None:
    project = make_project(
        {
            "app.py": """
                from aiohttp import web
                from paths import add
                app = web.Application()
                add(app)
            """,
            "views.py": """
                async def show(request): return None
            """,
            "paths.py": """
                from views import *
                paths = [("GET", "/show", show)]
                def add(app):
                    for path in paths:
                        app.router.add_route(*path)
                    app.other.add_get("/not", show)
            """,
        }
    )
    assert table(project) == {("GET", "/show"): ("show", Guard.ABSENT)}


def test_routers_that_a_loop_mounts_are_mounted(make_project) -> None:
    project = make_project(
        {
            "web.py": """
                from flask import Blueprint, Flask
                first, second = Blueprint("a", __name__, url_prefix="/a"), None
                third = Blueprint("c", __name__, url_prefix="/c")
                @third.route("/in")
                def inside(): return ""
                def make():
                    app = Flask(__name__)
                    for each in (third,):
                        app.register_blueprint(each)
                    for rule, view in {"rows": 1}.items():
                        app.add_url_rule(rule, view_func=view)
                    for line in [{"rule": "/d", "view_func": inside}]:
                        app.add_url_rule(**line)
                    return app
            """,
            "api.py": """
                from fastapi import APIRouter, FastAPI
                people = APIRouter(prefix="/people")
                @people.get("/{name}")
                def person(name: str): return name
                app = FastAPI()
                for router in [people]:
                    app.include_router(router, prefix="/v1")
            """,
        }
    )
    assert table(project) == {
        ("GET", "/c/in"): ("inside", Guard.ABSENT),
        ("GET", "/d"): ("inside", Guard.ABSENT),
        ("GET", "/v1/people/{name}"): ("person", Guard.ABSENT),
    }


def test_falcon_resources_in_a_loop_and_in_a_function_that_is_handed_the_application(make_project) -> None:
    project = make_project(
        {
            "service.py": """
                import falcon
                class Notes:
                    def on_get(self, req, resp): resp.media = []
                class Tags:
                    def on_post(self, req, resp): resp.media = {}
                def add(app):
                    for path, resource in (("/notes", Notes()), ("/tags", Tags())):
                        app.add_route(path, resource)
                application = falcon.App()
                add(application)
            """
        }
    )
    notes, tags = ("Notes.on_get", Guard.ABSENT), ("Tags.on_post", Guard.ABSENT)
    assert table(project) == {("GET", "/notes"): notes, ("POST", "/tags"): tags}


def test_a_bare_annotation_does_not_hide_the_application(make_project) -> None:
    project = make_project(
        {
            "chat.py": """
                from sanic import Sanic, response
                app = Sanic("chat")
                app: Sanic
                @app.post("/say")
                async def say(request): return response.text("")
                @app.websocket("/feed")
                async def feed(request, ws): await ws.recv()
            """
        }
    )
    assert table(project) == {("POST", "/say"): ("say", Guard.ABSENT), ("CONNECT", "/feed"): ("feed", Guard.ABSENT)}
    assert {each.kind for each in entry_points(project) if each.method == "CONNECT"} == {EntryKind.WEBSOCKET}


@pytest.mark.rule("A9")
def test_a_class_view_of_aiohttp_is_guarded_by_what_picks_its_methods(make_project) -> None:
    project = make_project(
        {
            "views.py": """
                from aiohttp import web
                class Members:
                    async def _iter(self):
                        if not self.request.user:
                            return web.HTTPFound(self.enter())
                        return await super()._iter()
                class Logged:
                    async def _iter(self):
                        print(self.request.path)
                        return await super()._iter()
                class Inside(Members, web.View):
                    async def get(self): return web.Response()
                class Outside(Logged, web.View):
                    async def get(self): return web.Response()
                app = web.Application()
                app.router.add_view("/in", Inside)
                app.router.add_view("/out", Outside)
            """
        }
    )
    assert table(project) == {("GET", "/in"): ("Inside.get", Guard.PRESENT), ("GET", "/out"): ("Outside.get", Guard.ABSENT)}


def test_long_tables_end(make_project) -> None:
    rows = ", ".join(f'("/r{number}", view)' for number in range(MAX_ROWS + 50))
    source = f"""
        from aiohttp import web
        async def view(request): return web.Response()
        app = web.Application()
        for path, each in [{rows}]:
            app.router.add_get(path, each)
    """
    assert len(table(make_project({"many.py": source}))) == MAX_ROWS
