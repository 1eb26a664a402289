import base64
import os
import pathlib

from flask import Flask, request

app = Flask(__name__)
FOLDER = "/srv/documents"
ROOT = pathlib.Path(FOLDER)


@app.route("/there")
def there():
    return {"there": os.path.exists(os.path.join(FOLDER, request.args["name"]))}  # expect: path-probe


@app.route("/file")
def is_file():
    return {"file": (ROOT / request.args["name"]).is_file()}  # expect: path-probe


@app.route("/size", methods=["POST"])
def size():
    return {"size": os.stat(FOLDER + "/" + request.form["name"]).st_size}  # expect: path-probe


@app.route("/folder")
def folder():
    return {"folder": os.path.isdir(request.args["name"])}  # expect: path-probe


@app.route("/base-name")
def base_name():
    return {"there": os.path.exists(os.path.join(FOLDER, os.path.basename(request.args["name"])))}  # ok: path-probe


@app.route("/part/<name>")
def part(name):
    return {"size": os.path.getsize(os.path.join(FOLDER, name))}  # ok: path-probe


@app.route("/inside")
def inside():
    path = (ROOT / request.args["name"]).resolve()
    return {"there": path.is_relative_to(ROOT) and path.exists()}  # ok: path-probe


@app.route("/number")
def number():
    return {"there": os.path.exists(f"{FOLDER}/{int(request.args['number'])}.pdf")}  # ok: path-probe


@app.route("/decoded")
def decoded():
    name = base64.b64decode(request.args["name"]).decode()
    return {"there": (ROOT / name).exists()}  # expect: path-probe


@app.route("/library", methods=["POST"])
def library():
    return {"valid": os.path.exists(os.path.join(request.form["folder"], "metadata.db"))}  # ok: path-probe
