import shutil
import tarfile
import zipfile

from flask import Flask, request

app = Flask(__name__)


def opened(stream):
    return tarfile.open(fileobj=stream)


@app.post("/whole")
def whole():
    with tarfile.open(fileobj=request.files["archive"].stream) as bundle:
        bundle.extractall("/srv/themes")  # expect: archive-traversal
    return {}


@app.post("/trusting")
def trusting():
    bundle = opened(request.files["archive"])
    bundle.extractall("/srv/themes", filter="fully_trusted")  # expect: archive-traversal
    return {}


@app.post("/body")
def body():
    archive = tarfile.open(fileobj=request.stream, mode="r|gz")
    archive.extractall(path="/srv/themes")  # expect: archive-traversal
    return {}


@app.post("/unpack")
def unpack():
    shutil.unpack_archive(request.form["path"], "/srv/themes")  # expect: archive-traversal
    return {}


@app.post("/filtered")
def filtered():
    with tarfile.open(fileobj=request.files["archive"].stream) as bundle:
        bundle.extractall("/srv/themes", filter="data")  # ok: archive-traversal
    return {}


@app.post("/listed")
def listed():
    with tarfile.open(fileobj=request.files["archive"].stream) as bundle:
        plain = [member for member in bundle if member.isfile() and "/" not in member.name]
        bundle.extractall("/srv/themes", members=plain)  # ok: archive-traversal
    return {}


@app.post("/zip")
def zipped():
    with zipfile.ZipFile(request.files["archive"].stream) as bundle:
        bundle.extractall("/srv/themes")  # ok: archive-traversal
    return {}


@app.post("/own")
def own():
    with tarfile.open("/srv/themes.tar") as bundle:
        bundle.extractall("/srv/themes")  # ok: archive-traversal
    return {}
