import os
from pathlib import Path

from flask import Flask, request, send_file
from shop.security import clear_filename, is_valid, validate_path

from shop import places

app = Flask(__name__)


@app.get("/kept")
def kept():
    path = os.path.realpath(os.path.join("/srv/pages", request.args["path"]))
    inside = path.startswith("/srv/pages/")
    if not inside:
        return ""
    return open(path).read()  # ok: path-traversal


@app.get("/one-of-two")
def one_of_two():
    path = os.path.abspath(request.args["path"])
    inside = places.is_in_or_equal(path, app.root_path)
    known = path in app.known_files
    if not (inside or known):
        raise PermissionError(path)
    return send_file(path)  # ok: path-traversal


@app.get("/changed")
def changed():
    path = os.path.abspath(request.args["path"])
    inside = places.is_in_or_equal(path, app.root_path)
    path = request.args["other"]
    if not inside:
        raise PermissionError(path)
    return send_file(path)  # expect: path-traversal


@app.get("/sometimes")
def sometimes():
    path = os.path.abspath(request.args["path"])
    inside = True
    if request.args.get("strict"):
        inside = places.is_in_or_equal(path, app.root_path)
    if not inside:
        raise PermissionError(path)
    return send_file(path)  # expect: path-traversal


@app.get("/cleared")
def cleared():
    return open(os.path.join("/srv/pages", clear_filename(request.args["path"]))).read()  # ok: path-traversal


@app.get("/validated")
def validated():
    path = request.args["path"]
    validate_path(path, "/srv/pages")
    return open(path).read()  # ok: path-traversal


@app.get("/some-question")
def some_question():
    path = request.args["path"]
    if not is_valid(path):
        return ""
    return open(path).read()  # expect: path-traversal


def is_within(path, folder):
    path, folder = Path(path).resolve(), Path(folder).resolve()
    try:
        path.relative_to(folder)
    except ValueError:
        return False
    return True


@app.get("/one-of-many")
def one_of_many():
    path = os.path.abspath(request.args["path"])
    listed = any(is_within(path, each) for each in app.folders)
    if not (listed or is_within(path, app.root_path)):
        raise PermissionError(path)
    return send_file(path)  # ok: path-traversal


@app.get("/unresolved")
def unresolved():
    path = Path("/srv/pages") / request.args["path"]
    path.relative_to("/srv/pages")
    return path.read_text()  # expect: path-traversal


def check_inside(path, root):
    root, path = os.path.abspath(root), os.path.abspath(path)
    if os.path.commonpath([root, path]) != root:
        raise PermissionError(path)
    return path


def check_named(path):
    if not path:
        raise ValueError(path)


@app.get("/raising/<name>")
def raising(name):
    path = os.path.join("/srv/pages", name)
    check_inside(path, "/srv/pages")
    return open(path).read()  # ok: path-traversal


@app.get("/raising-kept/<name>")
def raising_kept(name):
    path = os.path.join("/srv/pages", name)
    checked = check_inside(path, "/srv/pages")
    if os.path.isfile(checked):
        path = checked
    return open(path).read()  # ok: path-traversal


@app.get("/raising-for-nothing/<path:name>")
def raising_for_nothing(name):
    path = os.path.join("/srv/pages", name)
    check_named(path)
    return open(path).read()  # expect: path-traversal
