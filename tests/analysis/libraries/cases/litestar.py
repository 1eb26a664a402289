import sqlite3

from litestar import Litestar, Request, get, post
from litestar.response import File, Redirect


def logged_in(connection, handler) -> None:
    if not connection.user:
        raise PermissionError


@get("/orders")
async def orders(request: Request) -> list:  # route: GET /orders
    wanted = request.query_params["sort"]
    return sqlite3.connect("a.db").execute("SELECT * FROM orders ORDER BY " + wanted).fetchall()  # expect: sql-injection


@get("/next")
async def onwards(request: Request) -> Redirect:  # route: GET /next
    return Redirect(request.query_params["to"])  # expect: open-redirect


@get("/files/{name:str}", guards=[logged_in])
async def download(name: str) -> File:  # route: GET /files/{name:str} guarded
    return File("files/" + name)  # expect: path-traversal


@post("/orders")
async def order(request: Request) -> None:  # route: POST /orders
    body = await request.json()
    sqlite3.connect("a.db").execute("INSERT INTO orders VALUES (?)", (body["number"],))  # ok: sql-injection


app = Litestar([orders, onwards, download, order])
