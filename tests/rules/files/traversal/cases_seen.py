import os

from flask import Flask, request

app = Flask(__name__)
ROOT = "/srv/files"


@app.route("/seen")
def seen():
    file = os.path.abspath(os.path.join(ROOT, request.args["name"]))
    if os.path.relpath(file, ROOT).startswith(".."):
        return "", 404
    return open(file).read()  # ok: path-traversal


@app.route("/only-the-beginning")
def only_the_beginning():
    name = request.args["name"]
    if name.startswith(".."):
        return "", 404
    return open(os.path.join(ROOT, name)).read()  # expect: path-traversal


@app.get("/held")
def held():
    file = os.path.abspath(os.path.join(ROOT, request.args["name"]))
    if ".." not in os.path.relpath(file, ROOT) and os.path.isfile(file):
        with open(file) as opened:  # ok: path-traversal
            return opened.read()
    return ""


@app.get("/another")
def another():
    file = os.path.abspath(os.path.join(ROOT, request.args["name"]))
    if ".." not in os.path.relpath(os.path.join(ROOT, "index"), ROOT):
        with open(file) as opened:  # expect: path-traversal
            return opened.read()
    return ""
