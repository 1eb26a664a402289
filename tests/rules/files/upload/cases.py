import os
import uuid

from flask import Flask, request
from werkzeug.utils import secure_filename

app = Flask(__name__)
FOLDER = "/srv/uploads"


def store(upload, name):
    upload.save(os.path.join(FOLDER, name))


@app.route("/plain", methods=["POST"])
def plain():
    upload = request.files["file"]
    upload.save("/srv/uploads/" + upload.filename)  # expect: unrestricted-upload
    return "done"


@app.route("/joined", methods=["POST"])
def joined():
    upload = request.files.get("file")
    path = os.path.join(FOLDER, upload.filename)
    upload.save(path)  # expect: unrestricted-upload
    return "done"


@app.route("/every", methods=["POST"])
def every():
    for upload in request.files.getlist("files"):
        upload.save(f"{FOLDER}/{upload.filename}")  # expect: unrestricted-upload
    return "done"


@app.route("/named", methods=["POST"])
def named():
    request.files["file"].save(dst=FOLDER + "/" + request.form["name"])  # ok: unrestricted-upload
    return "done"


@app.route("/secured", methods=["POST"])
def secured():
    upload = request.files["file"]
    upload.save(os.path.join(FOLDER, secure_filename(upload.filename)))  # ok: unrestricted-upload
    return "done"


@app.route("/own-name", methods=["POST"])
def own_name():
    request.files["file"].save(os.path.join(FOLDER, uuid.uuid4().hex))  # ok: unrestricted-upload
    return "done"


@app.route("/fixed", methods=["POST"])
def fixed():
    request.files["file"].save("/srv/uploads/latest")  # ok: unrestricted-upload
    return "done"


@app.route("/chosen", methods=["POST"])
def chosen():
    kind = request.form["kind"]
    if kind not in {"avatar", "banner"}:
        return "unknown", 400
    request.files["file"].save(FOLDER + "/" + kind)  # ok: unrestricted-upload
    return "done"


@app.route("/listed", methods=["POST"])
def listed():
    upload = request.files["file"]
    upload.save(dst=os.path.join(FOLDER, upload.filename))  # expect: unrestricted-upload
    return "done"
