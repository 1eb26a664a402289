import os
import threading
from enum import StrEnum
from typing import Annotated, Literal

import cherrypy
import falcon
from aiohttp import web
from fastapi import BackgroundTasks, Depends, FastAPI, Query
from sanic import Sanic
from sanic.response import text

app = FastAPI()
fast = Sanic("fast")
routes = web.RouteTableDef()


def convert(name):
    os.system("convert " + name)  # expect: command-injection


def tidy(name):
    os.system("tidy " + name)  # ok: command-injection


def measure(number):
    os.system(f"measure {number}")  # expect: command-injection


@app.post("/convert")
async def start(tasks: BackgroundTasks, name: str):
    tasks.add_task(convert, name)
    tasks.add_task(tidy, "all")
    return {"started": True}


@app.post("/measure")
async def later(text: str):
    threading.Thread(target=measure, args=(text,)).start()
    return {"started": True}


class Pages:
    @cherrypy.expose
    def run(self, name="x"):
        return os.popen("tool " + name).read()  # expect: command-injection

    def inner(self, name):
        return os.popen("tool " + name).read()  # ok: command-injection


class Items:
    def on_post(self, req, resp, name):
        os.system("tool " + name)  # expect: command-injection
        resp.media = os.popen("date").read()  # ok: command-injection


api = falcon.App()
api.add_route("/items/{name}", Items())


@fast.get("/run/<name>")
async def run(request, name):
    os.system("tool " + name)  # expect: command-injection
    return text("done")


@routes.get("/socket")
async def socket(request):
    connection = web.WebSocketResponse()
    await connection.prepare(request)
    async for message in connection:
        os.system("tool " + message.data)  # expect: command-injection
    return connection


def tools():
    return Tools()


class Tools:
    command = "convert --version"


ToolBox = Annotated[Tools, Depends(tools)]


@app.post("/version")
async def version(box: ToolBox, name: Annotated[str, Query()]):
    os.system(box.command)  # ok: command-injection
    os.system(name)  # expect: command-injection


class Tool(StrEnum):
    CONVERT = "convert"
    RESIZE = "resize"


@app.post("/chosen")
async def chosen(tool: Tool, mode: Literal["fast", "slow"], size: Annotated[str, Query(pattern="^[a-z]{1,9}$")]):
    os.system(f"{tool.value} {mode} {size}")  # ok: command-injection


@app.post("/loose")
async def loose(tool: Tool | str, size: Annotated[str, Query(pattern="[a-z]")]):
    os.system(f"resize {size}")  # expect: command-injection
    os.system(tool)  # expect: command-injection
