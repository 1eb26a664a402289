import base64
import gzip
import io
import os
import sqlite3
from pathlib import Path

import aiofiles.os
import pandas
from fastapi import FastAPI, UploadFile
from flask import Flask, request
from flask.helpers import send_file
from PIL import Image

app = FastAPI()
site = Flask(__name__)


@app.delete("/files")
async def remove(name: str):
    await aiofiles.os.remove("data/" + name)  # expect: path-traversal
    os.chmod("data/" + name, 0o600)  # expect: path-traversal
    gzip.open("data/" + os.path.basename(name))  # ok: path-traversal


@app.get("/table")
def table(name: str):
    pandas.read_csv(f"data/{name}")  # expect: path-traversal
    sqlite3.connect(os.path.join("data", name))  # expect: path-traversal
    Path("data", "new").rename(Path("data") / name)  # expect: path-traversal


@app.post("/upload")
async def upload(file: UploadFile):
    pandas.read_csv(file.file)  # ok: path-traversal
    Image.open(io.BytesIO(await file.read()))  # ok: path-traversal


@site.route("/picture", methods=["POST"])
def picture():
    Image.open(request.files["picture"])  # ok: path-traversal
    Image.open(request.files["picture"].stream)  # ok: path-traversal
    pandas.read_csv(io.StringIO(request.form["rows"]))  # ok: path-traversal
    Image.open(io.BytesIO(base64.b64decode(request.json["image"])))  # ok: path-traversal
    return "done"


@site.route("/download")
def download():
    return send_file("files/" + request.args["name"])  # expect: path-traversal


@site.route("/resource")
def resource():
    return site.open_resource(request.args["name"]).read()  # expect: path-traversal
