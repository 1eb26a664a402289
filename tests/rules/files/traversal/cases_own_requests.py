"""Requests that are known by what is read from them, bodies that are called requests, and routes that are put together."""

import os

from fastapi.responses import FileResponse

from .core import FOLDER, PREFIX, app
from .schemas import RenameRequest


def attached(page, request):
    name = request.values.get("target")
    return open(os.path.join(FOLDER, page.id, name))  # expect: path-traversal


def sent(request):
    return open(request.body_path)  # ok: path-traversal


@app.post("/rename")
async def rename(request: RenameRequest):
    os.rename(FOLDER / "draft", FOLDER / request.new_name)  # expect: path-traversal


@app.get(PREFIX + "/parts/{path:path}")
def part(path: str):
    return FileResponse(FOLDER / path)  # expect: path-traversal


@app.get(f"{PREFIX}/parts")
def parts():
    return FileResponse(FOLDER / "index")  # ok: path-traversal
