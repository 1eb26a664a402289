import os

from flask import Flask, request

app = Flask(__name__)


def one_part(name):
    name = name.replace("/", "_").replace("\\", "_")
    return "_" if name in ("", ".", "..") else name


def cleaned(names):
    if isinstance(names, list):
        return [cleaned(each) for each in names]
    return one_part(names)


def paths(folder, above):
    found = []
    for entry in folder["entries"]:
        entry["name"] = one_part(entry["name"])
        here = os.path.join(above, entry["name"])
        found.append(here)
        for each in paths(entry, here):
            found.append(each)
    return found


def listed(folder):
    found = [folder["name"]]
    for each in folder["entries"]:
        found += listed(each)
    return found


def made(folder, above):
    os.makedirs(os.path.join(above, folder["name"]))  # expect: path-traversal
    for each in folder["entries"]:
        made(each, above)


@app.post("/cleaned")
def clean():
    for name in cleaned(request.json["names"]):
        os.makedirs(os.path.join("/srv/data", name))  # ok: path-traversal
    for path in paths(request.json, ""):
        os.makedirs(os.path.join("/srv/data", path))  # ok: path-traversal
    return ""


@app.post("/raw")
def raw():
    for name in listed(request.json):
        os.makedirs(os.path.join("/srv/data", name))  # expect: path-traversal
    made(request.json, "/srv/data")
    return ""
