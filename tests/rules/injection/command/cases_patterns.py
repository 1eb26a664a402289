import os
import re

from flask import request

IMAGE = r"^docker://[a-zA-Z0-9_.:/@-]+$"


@app.route("/image")
def image():
    name = request.args["image"]
    if not re.match(IMAGE, name):
        raise ValueError("no image")
    os.system("skopeo inspect " + name)  # ok: command-injection


@app.route("/late")
def late():
    name = request.args["image"]
    if not re.search("docker://[a-z]+", name):
        raise ValueError("no image")
    os.system("skopeo inspect " + name)  # expect: command-injection


@app.route("/given")
def given():
    name = request.args.get("image")
    if name and not re.match(IMAGE, name):
        return "no"
    os.system("skopeo inspect " + (name or "docker://debian"))  # ok: command-injection


@app.route("/without")
def without():
    name = request.args.get("image")
    if not name:
        name = "docker://debian"
    os.system("skopeo inspect " + name)  # expect: command-injection


@app.route("/stripped")
def stripped():
    os.system("skopeo inspect " + re.sub("[^a-z0-9:/.]", "", request.args["image"]))  # ok: command-injection


@app.route("/stripped-less")
def stripped_less():
    os.system("skopeo inspect " + re.sub("[^a-z0-9:/.;]", "", request.args["image"]))  # expect: command-injection
