import os
import posixpath
import re
from pathlib import Path

from flask import Flask, abort, request

app = Flask(__name__)
BASE = "/srv/data"


@app.get("/rooted")
def rooted():
    name = posixpath.normpath("/" + request.args["name"]).lstrip("/")
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/cut")
def cut():
    name = posixpath.normpath("/" + request.args["name"])
    return open(os.path.join(BASE, name[1:])).read()  # ok: path-traversal


@app.get("/cut-later")
def cut_later():
    name = posixpath.normpath(request.args["name"])
    return open(os.path.join(BASE, name[1:])).read()  # expect: path-traversal


@app.get("/anew")
def anew():
    name = posixpath.normpath("/" + request.args["name"])
    return open(os.path.join(BASE, name)).read()  # expect: path-traversal


@app.get("/normal")
def normal():
    name = posixpath.normpath(request.args["name"]).lstrip("/")
    return open(os.path.join(BASE, name)).read()  # expect: path-traversal


@app.get("/last")
def last():
    return open(os.path.join(BASE, Path(request.args["name"]).name)).read()  # ok: path-traversal


@app.get("/parent")
def parent():
    return open(os.path.join(BASE, Path(request.args["name"]).parent)).read()  # expect: path-traversal


@app.get("/same")
def same():
    name = request.args["name"]
    if os.path.basename(name) != name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/same-other")
def same_other():
    name = request.args["name"]
    if os.path.basename(request.args["other"]) != name:
        abort(400)
    return open(os.path.join(BASE, name)).read()  # expect: path-traversal


@app.get("/parts")
def parts():
    name = request.args["name"]
    if os.path.isabs(name) or any(part == ".." for part in Path(name).parts):
        abort(400)
    return open(os.path.join(BASE, name)).read()  # ok: path-traversal


@app.get("/other-parts")
def other_parts():
    name = request.args["name"]
    if os.path.isabs(name) or any(part == "~" for part in Path(name).parts):
        abort(400)
    return open(os.path.join(BASE, name)).read()  # expect: path-traversal


def resolved(base, name):
    path = (Path(base) / name).resolve()
    base = Path(base).resolve()
    if base not in path.parents and path != base:
        raise ValueError(name)
    return path


def unresolved(base, name):
    path = Path(base) / name
    if base not in path.parents and path != base:
        raise ValueError(name)
    return path


@app.get("/resolved")
def in_folder():
    return resolved(BASE, request.args["name"]).read_text()  # ok: path-traversal


@app.get("/unresolved")
def named_folder():
    return unresolved(BASE, request.args["name"]).read_text()  # expect: path-traversal


@app.get("/asked")
def asked():
    path = os.path.join(BASE, request.args["name"])
    if not os.path.realpath(path).startswith(os.path.realpath(BASE) + os.sep):
        abort(400)
    return open(path).read()  # ok: path-traversal


@app.get("/asked-sender")
def asked_sender():
    path = os.path.join(BASE, request.args["name"])
    if not os.path.realpath(path).startswith(request.args["folder"]):
        abort(400)
    return open(path).read()  # expect: path-traversal


@app.get("/group")
def group():
    found = re.match(r"^([a-z]+)$", request.args["name"])
    if found is None:
        abort(400)
    return open(os.path.join(BASE, found.group(1))).read()  # ok: path-traversal


@app.get("/loose-group")
def loose_group():
    found = re.match(r"^(.+)$", request.args["name"])
    if found is None:
        abort(400)
    return open(os.path.join(BASE, found.group(1))).read()  # expect: path-traversal
