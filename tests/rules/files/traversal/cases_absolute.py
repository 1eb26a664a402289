import os
import posixpath
import re
from pathlib import Path, PurePosixPath

from fastapi import FastAPI, HTTPException
from flask import Flask, abort, request

app = Flask(__name__)
api = FastAPI()
BASE = "/srv/data"


@app.get("/dots")
def dots():
    name = request.args["name"]
    if ".." in name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # expect: path-traversal


@app.get("/dots-posix")
def dots_posix():
    name = request.args["name"]
    if ".." in name.split("/"):
        abort(400)
    return open(posixpath.join(BASE, name)).read()  # expect: path-traversal


@app.get("/dots-path")
def dots_path():
    name = request.args["name"]
    if ".." in Path(name).parts:
        abort(400)
    return (Path(BASE) / name).read_text()  # expect: path-traversal


@app.get("/dots-joinpath")
def dots_joinpath():
    name = request.args["name"]
    if "../" in name:
        abort(400)
    return Path(BASE).joinpath(name).read_text()  # expect: path-traversal


@app.get("/dots-alone")
def dots_alone():
    name = request.args["name"]
    if ".." in name:
        abort(400)
    return open(name).read()  # expect: path-traversal


@app.get("/dots-after")
def dots_after():
    path = os.path.join(BASE, request.args["name"])
    if ".." in path:
        abort(400)
    return open(path).read()  # expect: path-traversal


@app.get("/dots-removed")
def dots_removed():
    name = re.sub(r"\.{2,}", "", request.args["name"])
    return open(os.path.join(BASE, name)).read()  # expect: path-traversal


@app.get("/from-root")
def from_root():
    name = request.args["name"]
    if ".." in name:
        abort(400)
    return open("/" + name).read()  # expect: path-traversal


@app.get("/absolute-only")
def absolute_only():
    name = request.args["name"]
    if os.path.isabs(name):
        abort(400)
    return open(os.path.join(BASE, name)).read()  # expect: path-traversal


@app.get("/one-slash-off")
def one_slash_off():
    name = request.args["name"].removeprefix("/")
    if ".." in name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # expect: path-traversal


@api.get("/kept/{name:path}")
def kept(name: str):
    if ".." in name:
        raise HTTPException(400)
    return (Path(BASE) / name).read_text()  # expect: path-traversal


@app.get("/merged/<path:name>")
def merged(name):
    if ".." in name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/both")
def both():
    name = request.args["name"]
    if ".." in name or name.startswith("/"):
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/both-listed")
def both_listed():
    name = request.args["name"]
    if name.startswith(("/", "\\")) or ".." in Path(name).parts:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/both-first")
def both_first():
    name = request.args["name"]
    if name[0] == "/" or ".." in name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/both-asked")
def both_asked():
    name = request.args["name"]
    if os.path.isabs(name) or ".." in name:
        abort(400)
    return Path(BASE).joinpath(name).read_text()  # ok: path-traversal


@app.get("/both-path")
def both_path():
    path = PurePosixPath(request.args["name"])
    if path.is_absolute() or ".." in path.parts:
        abort(400)
    return (Path(BASE) / path).read_text()  # ok: path-traversal


@app.get("/both-made")
def both_made():
    name = request.args["name"]
    if Path(name).is_absolute() or ".." in Path(name).parts:
        abort(400)
    return (Path(BASE) / name).read_text()  # ok: path-traversal


@app.get("/slashes-off")
def slashes_off():
    name = request.args["name"].lstrip("/")
    if ".." in name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/slashes-off-where-needed")
def slashes_off_where_needed():
    name = request.args["name"]
    if name.startswith("/"):
        name = re.sub(r"^/+", "", name)
    if ".." in name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/seen-from")
def seen_from():
    name = os.path.relpath(request.args["name"], BASE)
    if ".." in name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/one-part")
def one_part():
    name = request.args["name"]
    if ".." in name or "/" in name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/text")
def text():
    name = request.args["name"]
    if ".." in name:
        abort(400)
    return open(BASE + "/" + name).read()  # ok: path-traversal


@app.get("/text-later")
def text_later():
    path = f"{app.root_path}/{request.args['name']}"
    if ".." in path:
        abort(400)
    return open(path).read()  # ok: path-traversal


def glued(folder, name):
    if ".." in name:
        raise ValueError(name)
    return open(f"{folder}/{name}").read()  # ok: path-traversal


def joined(folder, name):
    if ".." in name:
        raise ValueError(name)
    return os.path.join(folder, name)


def is_relative(name):
    return not name.startswith("/") and ".." not in name


@app.get("/glued-argument")
def glued_argument():
    return glued(BASE, request.args["name"])


@app.get("/handed-joined")
def handed_joined():
    return open(joined(BASE, request.args["name"])).read()  # expect: path-traversal


@app.get("/handed-asked")
def handed_asked():
    name = request.args["name"]
    if not is_relative(name):
        abort(400)
    return open(joined(BASE, name)).read()  # ok: path-traversal
