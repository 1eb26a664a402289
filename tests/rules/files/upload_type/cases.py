import os
import shutil
import uuid

from fastapi import FastAPI, UploadFile
from flask import Flask, request
from werkzeug.utils import secure_filename

app = Flask(__name__)
api = FastAPI()
KINDS = {"png", "jpg"}
FOLDER = "static/covers"


def fits(name):
    return "." in name and name.rsplit(".", 1)[1].lower() in KINDS


@app.post("/covers")
def cover():
    sent = request.files["cover"]
    name = secure_filename(sent.filename)
    sent.save(os.path.join(FOLDER, name))  # expect: upload-type
    return "kept"


@app.post("/covers/own-name")
def cover_own_name():
    sent = request.files["cover"]
    ending = os.path.splitext(sent.filename)[1]
    sent.save(os.path.join(FOLDER, uuid.uuid4().hex + ending))  # expect: upload-type
    return "kept"


@app.post("/covers/fixed")
def cover_fixed():
    sent = request.files["cover"]
    sent.save(os.path.join(FOLDER, uuid.uuid4().hex + ".png"))  # ok: upload-type
    return "kept"


@app.post("/covers/fitting")
def cover_fitting():
    sent = request.files["cover"]
    if not fits(sent.filename):
        return "no", 400
    sent.save(os.path.join(FOLDER, secure_filename(sent.filename)))  # ok: upload-type
    return "kept"


@app.post("/covers/declared")
def cover_declared():
    sent = request.files["cover"]
    if sent.mimetype not in ("image/png", "image/jpeg"):
        return "no", 400
    sent.save(os.path.join(FOLDER, secure_filename(sent.filename)))  # ok: upload-type
    return "kept"


@api.post("/papers")
async def paper(sent: UploadFile):
    target = f"papers/{uuid.uuid4()}_{secure_filename(sent.filename)}"
    with open(target, "wb") as out:  # expect: upload-type
        shutil.copyfileobj(sent.file, out)


@api.post("/papers/numbered")
async def paper_numbered(sent: UploadFile, number: int):
    with open(f"papers/{number}.pdf", "wb") as out:  # ok: upload-type
        shutil.copyfileobj(sent.file, out)


@app.post("/notes")
def note():
    chart = draw(request.form["numbers"])
    chart.save(os.path.join(FOLDER, "chart.png"))  # ok: upload-type
    return "kept"


def draw(numbers):
    return numbers


@app.post("/covers/as-it-came")
def cover_as_it_came():
    sent = request.files["cover"]
    sent.save(os.path.join(FOLDER, sent.filename))  # ok: upload-type
    return "kept"
