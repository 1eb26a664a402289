import os
import re

from flask import request

ROOT = "/srv/files"


def cleaned(name):
    name = name.replace("\x00", "").replace("/", "_").replace("\\", "_").strip()
    if name in ("", ".", ".."):
        return "_"
    return name


class Thing:
    def __init__(self, name):
        self.name = name


@app.route("/one-part")
def one_part():
    return open(os.path.join(ROOT, request.args["name"].replace(os.sep, "_"))).read()  # ok: path-traversal


@app.route("/folder")
def folder():
    os.makedirs(os.path.join(ROOT, cleaned(request.args["name"])))  # ok: path-traversal


@app.route("/field")
def field():
    thing = Thing(request.args["name"])
    thing.name = cleaned(thing.name)
    os.makedirs(os.path.join(ROOT, thing.name))  # ok: path-traversal


@app.route("/above")
def above():
    name = request.args["name"]
    if name == "..":
        return "no"
    return open(os.path.join(ROOT, name)).read()  # expect: path-traversal


@app.route("/other-sign")
def other_sign():
    return open(os.path.join(ROOT, request.args["name"].replace(":", "/"))).read()  # expect: path-traversal


@app.route("/dots")
def dots():
    name = request.args["name"]
    if name in (".", ".."):
        return "no"
    return open(os.path.join(ROOT, name)).read()  # expect: path-traversal


def upload_named():
    request.files["file"].save(dst=ROOT + "/" + request.form["name"])  # expect: path-traversal
    return "done"


def upload_folder():
    folder = request.form["folder"]
    if "/" in folder or ".." in folder:
        return "no"
    request.files["file"].save(os.path.join(ROOT, folder, "photo.png"))  # ok: path-traversal
    return "done"
