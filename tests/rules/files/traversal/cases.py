import os
import pathlib
import re
import shutil

import pdfkit
from flask import Flask, abort, request, send_file, send_from_directory
from werkzeug.utils import secure_filename

app = Flask(__name__)
FOLDER = "/srv/documents"
ROOT = pathlib.Path(FOLDER)


def inside(path):
    return os.path.realpath(path).startswith(FOLDER + os.sep)


def checked(path):
    resolved = os.path.realpath(path)
    if not resolved.startswith(FOLDER + os.sep):
        raise PermissionError(path)
    return resolved


@app.route("/read")
def read():
    with open(os.path.join(FOLDER, request.args["name"])) as document:  # expect: path-traversal
        return {"text": document.read()}


@app.route("/send/<path:name>")
def send(name):
    return send_file(FOLDER + "/" + name)  # expect: path-traversal


@app.route("/delete", methods=["POST"])
def delete():
    os.remove(f"{FOLDER}/{request.form['name']}")  # expect: path-traversal
    return {}


@app.route("/pathlib")
def with_pathlib():
    return {"text": (ROOT / request.args["name"]).read_text()}  # expect: path-traversal


@app.route("/weak")
def weak():
    name = request.args["name"].replace("../", "")
    shutil.copy(FOLDER + "/" + name, "/srv/copy")  # expect: path-traversal
    return {}


@app.route("/normalised-only")
def normalised_only():
    path = os.path.abspath(os.path.join(FOLDER, request.args["name"]))
    return send_file(path)  # expect: path-traversal


@app.route("/base-name")
def base_name():
    return send_file(os.path.join(FOLDER, os.path.basename(request.args["name"])))  # ok: path-traversal


@app.route("/secured", methods=["POST"])
def secured():
    with open(FOLDER + "/" + secure_filename(request.form["name"]), "w") as document:  # ok: path-traversal
        document.write(request.form["text"])
    return {}


@app.route("/directory/<path:name>")
def directory(name):
    return send_from_directory(FOLDER, name)  # ok: path-traversal


@app.route("/prefix")
def prefix():
    path = os.path.realpath(os.path.join(FOLDER, request.args["name"]))
    if not path.startswith(FOLDER + os.sep):
        abort(403)
    return send_file(path)  # ok: path-traversal


@app.route("/relative")
def relative():
    path = (ROOT / request.args["name"]).resolve()
    if path.is_relative_to(ROOT):
        return {"text": path.read_text()}  # ok: path-traversal
    return abort(403)


@app.route("/common")
def common():
    path = os.path.realpath(os.path.join(FOLDER, request.args["name"]))
    if os.path.commonpath([FOLDER, path]) != FOLDER:
        abort(403)
    return send_file(path)  # ok: path-traversal


@app.route("/returned")
def returned():
    return send_file(checked(os.path.join(FOLDER, request.args["name"])))  # ok: path-traversal


@app.route("/numbered")
def numbered():
    try:
        number = int(request.args["number"])
    except ValueError:
        abort(400)
    return send_file(f"{FOLDER}/{number}.pdf")  # ok: path-traversal


@app.route("/printed")
def printed():
    pdfkit.from_string("<p>Report</p>", f"{FOLDER}/{request.args['name']}.pdf")  # expect: path-traversal
    return "done"


@app.route("/part/<name>")
def one_part(name):
    return send_file(os.path.join(FOLDER, name))  # ok: path-traversal


@app.route("/part/<string:name>.pdf")
def one_part_with_ending(name):
    return send_file(f"{FOLDER}/{name}.pdf")  # ok: path-traversal


@app.route("/parts/<owner>/<name>")
def two_parts(owner, name):
    return send_file(os.path.join(FOLDER, owner, name))  # expect: path-traversal


@app.route("/listed/<name>")
def listed(name):
    return {"files": os.listdir(os.path.join(FOLDER, name))}  # expect: path-traversal


@app.route("/bare/<name>")
def bare(name):
    return send_file(name)  # expect: path-traversal


@app.route("/either/<name>")
@app.route("/whole/<path:name>")
def either(name):
    return send_file(os.path.join(FOLDER, name))  # expect: path-traversal


@app.route("/stripped")
def stripped():
    name = re.sub(r"[^a-z0-9_-]+", "", request.args["name"])
    return send_file(f"{FOLDER}/{name}")  # ok: path-traversal


@app.route("/dotted")
def dotted():
    name = re.sub(r"[^a-z0-9_/.-]+", "", request.args["name"])
    return send_file(f"{FOLDER}/{name}")  # expect: path-traversal


@app.route("/above")
def above():
    path = (ROOT / request.args["name"]).resolve()
    if ROOT.resolve() not in path.parents:
        abort(404)
    return send_file(path)  # ok: path-traversal


@app.route("/above-unresolved")
def above_unresolved():
    path = ROOT / request.args["name"]
    if ROOT not in path.parents:
        abort(404)
    return send_file(path)  # expect: path-traversal


@app.route("/cut")
def cut():
    ending = request.json["kind"].split(";")[0].split("/")[1]
    return send_file(f"{FOLDER}/picture.{ending}")  # ok: path-traversal


@app.route("/cut-once")
def cut_once():
    ending = request.json["kind"].split("/", 1)[1]
    return send_file(f"{FOLDER}/picture.{ending}")  # expect: path-traversal


def lies_in(file, folder):
    return file.is_file() and file.parent.samefile(folder)


@app.route("/same")
def same():
    path = (ROOT / request.args["name"]).with_suffix(".json")
    if not lies_in(path, ROOT):
        abort(404)
    return send_file(path)  # ok: path-traversal


def validate_name(name):
    if "/" in name or "\\" in name:
        raise ValueError(name)


@app.route("/validated", methods=["POST"])
def validated():
    name = request.files["file"].filename
    validate_name(name)
    return open(os.path.join(FOLDER, name), "wb")  # ok: path-traversal


@app.route("/backslashes", methods=["POST"])
def backslashes():
    name = request.files["file"].filename
    if "\\" in name:
        abort(400)
    return open(os.path.join(FOLDER, name), "wb")  # expect: path-traversal


@app.route("/deleted", methods=["POST"])
def deleted():
    name = request.form["name"]
    if "/" in name:
        abort(400)
    shutil.rmtree(os.path.join(FOLDER, name))  # expect: path-traversal


def new_picture(ending):
    name = new_name() + ending
    return open(app.config["FOLDER"] + name, "wb")  # ok: path-traversal


@app.route("/pictures", methods=["POST"])
def pictures():
    return new_picture("." + request.json["kind"].split("/")[1])


def new_letter(ending):
    name = new_name() + ending
    return open(app.config["FOLDER"] + name, "wb")  # expect: path-traversal


@app.route("/letters", methods=["POST"])
def letters():
    return new_letter("." + request.json["kind"])
