"""FastAPI, Starlette, aiohttp and Tornado."""

import pytest

from counterproof.analysis.endpoints import entry_points
from counterproof.model.recon import EntryKind, Guard


def table(project) -> dict[tuple[str, str], tuple[str, Guard]]:
    return {(each.method, each.path): (each.name, each.guard) for each in entry_points(project)}


@pytest.mark.rule("A9")
def test_fastapi_prefixes_and_dependencies(make_project) -> None:
    project = make_project(
        {
            "api/main.py": """
                from fastapi import Depends, FastAPI
                from fastapi.middleware.cors import CORSMiddleware
                from api.items import router
                from api.auth import key_scheme
                app = FastAPI()
                app.add_middleware(CORSMiddleware, allow_origins=["https://x"])
                app.include_router(router, prefix="/v1")
                closed = FastAPI(dependencies=[Depends(key_scheme)])
                app.mount("/closed", closed)
                @app.get("/open")
                async def open_one(q: str): return q
                @closed.get("/in")
                def inside(): return 1
                @app.websocket("/ws")
                async def socket(ws): pass
            """,
            "api/auth.py": """
                from typing import Annotated
                from fastapi import Depends, HTTPException
                from fastapi.security import APIKeyHeader, OAuth2PasswordBearer
                key_scheme = APIKeyHeader(name="X-Key")
                oauth2 = OAuth2PasswordBearer(tokenUrl="token")
                lenient = OAuth2PasswordBearer(tokenUrl="token", auto_error=False)
                def current_user(token: str = Depends(oauth2)): return token
                def admin(user=None):
                    if user != "root":
                        raise HTTPException(status_code=403)
                def settings(): return {}
                User = Annotated[str, Depends(current_user)]
            """,
            "api/items.py": """
                from fastapi import APIRouter, Depends
                from api.auth import User, admin, current_user, lenient, settings
                router = APIRouter(prefix="/items")
                @router.get("/{id}")
                def read(id: int, conf=Depends(settings)): return id
                @router.post("")
                def write(user=Depends(current_user)): return user
                @router.put("/{id}", dependencies=[Depends(admin)])
                def change(id: int): return id
                @router.patch("/{id}")
                def amend(id: int, user: User): return id
                @router.delete("/{id}")
                def drop(id: int, token=Depends(lenient)): return id
            """,
        }
    )
    assert table(project) == {
        ("GET", "/open"): ("open_one", Guard.ABSENT),
        ("CONNECT", "/ws"): ("socket", Guard.ABSENT),
        ("GET", "/closed/in"): ("inside", Guard.PRESENT),
        ("GET", "/v1/items/{id}"): ("read", Guard.ABSENT),
        ("POST", "/v1/items"): ("write", Guard.PRESENT),
        ("PUT", "/v1/items/{id}"): ("change", Guard.PRESENT),
        ("PATCH", "/v1/items/{id}"): ("amend", Guard.PRESENT),
        ("DELETE", "/v1/items/{id}"): ("drop", Guard.UNKNOWN),
    }


def test_fastapi_classes_of_handlers_share_what_their_attributes_depend_on(make_project) -> None:
    project = make_project(
        {
            "app.py": """
                from fastapi import Depends, FastAPI, HTTPException
                from fastapi_utils.cbv import cbv
                app = FastAPI()
                def connection(): return 1
                def current_user(token: str = ""):
                    if not token:
                        raise HTTPException(status_code=401)
                class Connected:
                    session: object = Depends(connection)
                class Private(Connected):
                    user: object = Depends(current_user)
                class Constructed:
                    def __init__(self, user: object = Depends(current_user)): self.user = user
                @cbv(app)
                class Orders(Private):
                    @app.delete("/orders/{id}")
                    def drop(self, id: int): return id
                @cbv(app)
                class Prices(Connected):
                    @app.delete("/prices/{id}")
                    def forget(self, id: int): return id
                @cbv(app)
                class Accounts(Constructed):
                    @app.delete("/accounts/{id}")
                    def close(self, id: int): return id
            """,
        }
    )
    assert {path: guard for (_, path), (_, guard) in table(project).items()} == {
        "/orders/{id}": Guard.PRESENT,
        "/prices/{id}": Guard.ABSENT,
        "/accounts/{id}": Guard.PRESENT,
    }


def test_starlette_lists(make_project) -> None:
    project = make_project(
        {
            "app.py": """
                from starlette.applications import Starlette
                from starlette.authentication import requires
                from starlette.endpoints import HTTPEndpoint
                from starlette.routing import Mount, Route, WebSocketRoute
                async def home(request): return 1
                @requires("authenticated")
                async def mine(request): return 1
                async def chat(ws): pass
                class Page(HTTPEndpoint):
                    async def get(self, request): return 1
                routes = [
                    Route("/", home),
                    Mount("/me", routes=[Route("/mine", mine, methods=["POST"]), Route("/page", Page)]),
                    WebSocketRoute("/chat", chat),
                ]
                app = Starlette(routes=routes)
            """
        }
    )
    assert table(project) == {
        ("GET", "/"): ("home", Guard.ABSENT),
        ("POST", "/me/mine"): ("mine", Guard.PRESENT),
        ("GET", "/me/page"): ("Page.get", Guard.ABSENT),
        ("CONNECT", "/chat"): ("chat", Guard.ABSENT),
    }


def test_aiohttp_routers_tables_and_middlewares(make_project) -> None:
    project = make_project(
        {
            "app.py": """
                from aiohttp import web
                from views import index, routes, save, Things
                @web.middleware
                async def gate(request, handler):
                    if request.headers.get("Authorization") is None:
                        raise web.HTTPUnauthorized()
                    return await handler(request)
                @web.middleware
                async def timing(request, handler):
                    return await handler(request)
                app = web.Application(middlewares=[timing])
                inner = web.Application(middlewares=[gate])
                app.add_routes(routes)
                app.add_routes([web.get("/listed", index)])
                app.add_subapp("/inner", inner)
                inner.router.add_post("/save", save)
                app.router.add_view("/things", Things)
                def setup(application):
                    application.router.add_route("GET", "/late", index)
            """,
            "views.py": """
                from aiohttp import web
                routes = web.RouteTableDef()
                async def index(request): return 1
                async def save(request): return 1
                @routes.put("/table")
                async def table_one(request): return 1
                class Things(web.View):
                    async def get(self): return 1
            """,
        }
    )
    found = table(project)
    assert found["PUT", "/table"] == ("table_one", Guard.ABSENT)
    assert found["POST", "/inner/save"] == ("save", Guard.PRESENT)
    assert found["GET", "/things"] == ("Things.get", Guard.ABSENT)
    assert {("GET", "/listed"), ("GET", "/late")} <= set(found)
    assert len(found) == 5


def test_tornado_lists_in_any_place(make_project) -> None:
    project = make_project(
        {
            "server.py": """
                import tornado.web
                import tornado.websocket
                class Base(tornado.web.RequestHandler):
                    def prepare(self):
                        if not self.get_secure_cookie("session"):
                            raise tornado.web.HTTPError(403)
                class Open(tornado.web.RequestHandler):
                    def get(self): self.write("x")
                class Mine(tornado.web.RequestHandler):
                    @tornado.web.authenticated
                    def post(self): self.write("x")
                class Closed(Base):
                    def get(self): self.write("x")
                class Chat(tornado.websocket.WebSocketHandler):
                    def on_message(self, message): pass
                class Application(tornado.web.Application):
                    def __init__(self):
                        handlers = [(r"/", Open), (r"/mine", Mine), tornado.web.url(r"/closed", Closed), (r"/chat", Chat)]
                        super().__init__(handlers)
                limits = [("small", 1), ("large", 2)]
            """
        }
    )
    assert table(project) == {
        ("GET", "/"): ("Open.get", Guard.ABSENT),
        ("POST", "/mine"): ("Mine.post", Guard.PRESENT),
        ("GET", "/closed"): ("Closed.get", Guard.PRESENT),
        ("MESSAGE", "/chat"): ("Chat.on_message", Guard.ABSENT),
    }
    assert EntryKind.WEBSOCKET in {each.kind for each in entry_points(project)}


def test_fastapi_routes_of_an_application_that_is_made_elsewhere(make_project) -> None:
    project = make_project(
        {
            "parts.py": """
                from fastapi import HTTPException
                from .core import PREFIX, app, cache
                @app.get(PREFIX + "/parts/{path:path}")
                def part(path: str): return path
                @cache.get("parts")
                def kept(): return 1
            """,
            "other.py": """
                from .core import app
                @app.get("/other")
                def other(): return 1
            """,
        }
    )
    assert table(project) == {("GET", "/parts/{path:path}"): ("part", Guard.ABSENT)}
