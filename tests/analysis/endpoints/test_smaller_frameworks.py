"""CherryPy, web.py, Django Ninja, Bottle, Sanic, Falcon, Pyramid, code-first GraphQL; paths that are worked out at run time."""

import pytest

from counterproof.analysis.endpoints import entry_points
from counterproof.model.recon import EntryKind, Guard


def table(project) -> dict[tuple[str, str], tuple[str, Guard]]:
    return {(each.method, each.path): (each.name, each.guard) for each in entry_points(project)}


def test_web_py_reads_the_table_of_addresses(make_project) -> None:
    project = make_project(
        {
            "site.py": """
                import web
                import pages
                urls = ("/", "Home", "/pages/(.*)", "pages.Page", "/odd")
                class Home:
                    def GET(self): return "home"
                    def POST(self): return web.input().text
                    def helper(self): return 1
                web.application(urls, globals()).run()
            """,
            "pages.py": """
                class Page:
                    def GET(self, name): return name
            """,
        }
    )
    assert table(project) == {
        ("GET", "/"): ("Home.GET", Guard.ABSENT),
        ("POST", "/"): ("Home.POST", Guard.ABSENT),
        ("GET", "/pages/(.*)"): ("Page.GET", Guard.ABSENT),
    }


@pytest.mark.rule("A9")
def test_cherrypy_exposes_methods_functions_and_classes(make_project) -> None:
    project = make_project(
        {
            "pages.py": """
                import cherrypy
                class Pages:
                    @cherrypy.expose
                    def index(self): return "home"
                    @cherrypy.expose
                    @cherrypy.tools.auth_basic(realm="x")
                    def secret(self): return "secret"
                    @cherrypy.expose
                    @cherrypy.tools.auth_basic(on=False)
                    def open(self): return "open"
                    def old(self): return "old"
                    old.exposed = True
                    def inner(self): return "not a page"
                @cherrypy.expose
                class Items:
                    def GET(self, number): return number
                    def helper(self): return 1
                def pages():
                    @cherrypy.expose
                    def handler(*parts): return parts
                    return handler
            """
        }
    )
    found = table(project)
    assert found == {
        ("ANY", "/"): ("Pages.index", Guard.ABSENT),
        ("ANY", "/secret"): ("Pages.secret", Guard.PRESENT),
        ("ANY", "/open"): ("Pages.open", Guard.ABSENT),
        ("ANY", "/old"): ("Pages.old", Guard.ABSENT),
        ("GET", "/GET"): ("Items.GET", Guard.ABSENT),
        ("ANY", "/handler"): ("pages.handler", Guard.ABSENT),
    }


@pytest.mark.rule("A9")
def test_a_cherrypy_tool_switched_on_elsewhere_leaves_the_guard_open(make_project) -> None:
    project = make_project(
        {
            "pages.py": """
                import cherrypy
                class Pages:
                    @cherrypy.expose
                    def index(self): return "home"
                cherrypy.quickstart(Pages(), config={"/": {"tools.auth_digest.on": True}})
            """
        }
    )
    assert table(project)[("ANY", "/")][1] is Guard.UNKNOWN


@pytest.mark.rule("A9")
def test_bottle_and_sanic_routes(make_project) -> None:
    project = make_project(
        {
            "small.py": """
                from bottle import Bottle, auth_basic, post
                app = Bottle()
                @app.route("/one", method=["GET", "POST"])
                def one(): return "1"
                @post("/two")
                @auth_basic(check)
                def two(): return "2"
            """,
            "fast.py": """
                from sanic import Blueprint, Sanic
                from sanic.response import text
                from sanic.views import HTTPMethodView
                app = Sanic("fast")
                part = Blueprint("part", url_prefix="/part")
                @part.get("/<name>")
                async def named(request, name): return text(name)
                class Files(HTTPMethodView):
                    async def get(self, request): return text("")
                    async def delete(self, request): return text("")
                app.add_route(Files.as_view(), "/files")
                app.blueprint(part)
            """,
        }
    )
    assert table(project) == {
        ("GET,POST", "/one"): ("one", Guard.ABSENT),
        ("POST", "/two"): ("two", Guard.PRESENT),
        ("GET", "/part/<name>"): ("named", Guard.ABSENT),
        ("GET", "/files"): ("Files.get", Guard.ABSENT),
        ("DELETE", "/files"): ("Files.delete", Guard.ABSENT),
    }


@pytest.mark.rule("A9")
def test_falcon_resources_and_pyramid_views(make_project) -> None:
    project = make_project(
        {
            "resources.py": """
                import falcon
                class Items:
                    def on_get(self, req, resp, number): resp.media = number
                    def on_post(self, req, resp): resp.media = 1
                    def helper(self): return 1
                items = Items()
                app = falcon.App()
                app.add_route("/items/{number}", items)
            """,
            "views.py": """
                from pyramid.config import Configurator
                from pyramid.view import view_config
                @view_config(route_name="home", renderer="json")
                def home(request): return {}
                @view_config(route_name="edit", request_method="POST", permission="edit")
                def edit(request): return {}
                def main(settings):
                    config = Configurator(settings=settings)
                    config.add_route("home", "/")
                    config.add_route("edit", "/edit/{id}")
                    config.scan()
            """,
        }
    )
    assert table(project) == {
        ("GET", "/items/{number}"): ("Items.on_get", Guard.ABSENT),
        ("POST", "/items/{number}"): ("Items.on_post", Guard.ABSENT),
        ("ANY", "/"): ("home", Guard.ABSENT),
        ("POST", "/edit/{id}"): ("edit", Guard.PRESENT),
    }


@pytest.mark.rule("A9")
def test_graphql_resolvers_written_as_functions_and_methods(make_project) -> None:
    project = make_project(
        {
            "schema.py": """
                import strawberry
                from ariadne import QueryType
                query = QueryType()
                @strawberry.type
                class Query:
                    @strawberry.field
                    def user(self, name: str) -> str: return name
                    def helper(self): return 1
                @query.field("item")
                def item(_, info, name): return name
            """
        }
    )
    assert {(each.kind, each.name) for each in entry_points(project)} == {(EntryKind.RPC, "Query.user"), (EntryKind.RPC, "item")}


@pytest.mark.rule("A9")
def test_routes_whose_paths_are_put_together_are_routes(make_project) -> None:
    project = make_project(
        {
            "shop/settings.py": 'ROOT_URLCONF = "shop.urls"\nINSTALLED_APPS = ["shop"]\nMIDDLEWARE = []\n',
            "shop/urls.py": """
                from django.conf import settings
                from django.urls import include, path
                from shop import views
                prefix = settings.PREFIX
                urlpatterns = [path(prefix, include("shop.more")), path(f"{prefix}about/", views.about)]
            """,
            "shop/more.py": """
                from django.urls import path
                from shop import views
                urlpatterns = [path("cart/", views.cart)]
            """,
            "shop/views.py": "def about(request): pass\ndef cart(request): pass\n",
            "web.py": """
                from flask import Flask
                from flask.views import MethodView
                from flask_restful import Api, Resource
                BASE = "/api"
                app = Flask(__name__)
                class Named(Api):
                    def add_named_resource(self, resource, *urls): self.add_resource(resource, *urls)
                api = Named(app)
                class Item(Resource):
                    def get(self): return {}
                api.add_named_resource(Item, "/item")
                class Page(MethodView):
                    def get(self): return ""
                def register(app, routes, view_func):
                    for route in routes: app.add_url_rule(route, view_func=view_func)
                register(app, routes=["/page"], view_func=Page.as_view("page"))
                @app.route(BASE + "/status")
                def status(): return ""
            """,
        }
    )
    found = {each.name: each.path for each in entry_points(project)}
    assert found.pop("status").endswith("/status")
    assert found == {"about": "/about/", "cart": "/cart/", "Item.get": "/item", "Page.get": "/page"}


@pytest.mark.rule("A9")
def test_ninja_operations_stand_behind_what_auth_says_nearest_to_them(make_project) -> None:
    project = make_project(
        {
            "urls.py": """
                from django.urls import path
                from ninja import NinjaAPI
                from shelves import router
                api = NinjaAPI(auth=Key())
                api.add_router("/shelves", router)
                api.add_router("/drafts", "drafts.router", auth=None)
                @api.api_operation(["POST", "PATCH"], "/notes")
                def note(request): return {}
                urlpatterns = [path("api/", api.urls)]
            """,
            "shelves.py": """
                from ninja import Router
                router = Router()
                @router.get("/{number}")
                def one(request, number: int): return {}
                @router.get("/", auth=None)
                def every(request): return []
            """,
            "drafts.py": """
                from ninja import Router
                router = Router(auth=[Key(), Token()])
                @router.delete("/{number}")
                def drop(request, number: int): return {}
            """,
            "controllers.py": """
                from ninja_extra import api_controller, http_get, route
                @api_controller("/boxes", auth=Token())
                class Boxes:
                    @http_get("/{number}")
                    def one(self, number: int): return {}
                    @route.post("/", auth=None)
                    def add(self): return {}
            """,
        }
    )
    assert table(project) == {
        ("PATCH,POST", "/api/notes"): ("note", Guard.PRESENT),
        ("GET", "/api/shelves/{number}"): ("one", Guard.PRESENT),
        ("GET", "/api/shelves/"): ("every", Guard.ABSENT),
        ("DELETE", "/api/drafts/{number}"): ("drop", Guard.PRESENT),
        ("GET", "/boxes/{number}"): ("Boxes.one", Guard.PRESENT),
        ("POST", "/boxes/"): ("Boxes.add", Guard.ABSENT),
    }
