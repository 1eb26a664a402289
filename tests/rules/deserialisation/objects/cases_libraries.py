import base64

import keras
import ruamel.yaml
from flask import Flask, request
from six.moves import cPickle

app = Flask(__name__)


@app.route("/state", methods=["POST"])
def state():
    return str(cPickle.loads(base64.b64decode(request.form["state"])))  # expect: unsafe-deserialisation


@app.route("/settings", methods=["POST"])
def settings():
    ruamel.yaml.load(request.data, Loader=ruamel.yaml.Loader)  # expect: unsafe-deserialisation
    ruamel.yaml.load(request.data, Loader=ruamel.yaml.SafeLoader)  # ok: unsafe-deserialisation
    return "done"


@app.route("/model")
def model():
    keras.models.load_model(request.args["model"])  # expect: unsafe-deserialisation
    keras.models.load_model("models/fixed.keras")  # ok: unsafe-deserialisation
    return "done"
