import base64
import json
import marshal
import pickle

import jsonpickle
import yaml
from flask import Flask, request

app = Flask(__name__)


@app.route("/cookie")
def cookie():
    return pickle.loads(base64.b64decode(request.cookies["session"])).name  # expect: unsafe-deserialisation


@app.route("/file", methods=["POST"])
def file():
    return str(pickle.load(request.files["model"]))  # expect: unsafe-deserialisation


@app.route("/yaml", methods=["POST"])
def as_yaml():
    return str(yaml.load(request.data, Loader=yaml.Loader))  # expect: unsafe-deserialisation


@app.route("/yaml-default", methods=["POST"])
def yaml_default():
    document = request.get_data()
    return str(yaml.load(document))  # expect: unsafe-deserialisation


@app.route("/jsonpickle", methods=["POST"])
def with_jsonpickle():
    return str(jsonpickle.decode(request.form["object"]))  # expect: unsafe-deserialisation


@app.route("/marshal", methods=["POST"])
def with_marshal():
    return str(marshal.loads(request.data))  # expect: unsafe-deserialisation


@app.route("/safe", methods=["POST"])
def safe():
    return str(yaml.safe_load(request.data))  # ok: unsafe-deserialisation


@app.route("/safe-loader", methods=["POST"])
def safe_loader():
    return str(yaml.load(request.data, Loader=yaml.SafeLoader))  # ok: unsafe-deserialisation


@app.route("/safe-position", methods=["POST"])
def safe_position():
    return str(yaml.load(request.data, yaml.CSafeLoader))  # ok: unsafe-deserialisation


@app.route("/json", methods=["POST"])
def as_json():
    return str(json.loads(request.data))  # ok: unsafe-deserialisation


@app.route("/own")
def own():
    with open("cache.bin", "rb") as cache:
        return str(pickle.load(cache))  # ok: unsafe-deserialisation


class Tolerant(yaml.SafeLoader):
    pass


class Building(yaml.Loader):
    pass


@app.post("/tolerant")
def tolerant():
    return str(yaml.load(request.data, Loader=Tolerant))  # ok: unsafe-deserialisation


@app.post("/building")
def building():
    return str(yaml.load(request.data, Loader=Building))  # expect: unsafe-deserialisation
