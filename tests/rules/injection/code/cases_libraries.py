import code
import importlib.util
import runpy
import timeit

import sympy
from django.utils.module_loading import import_string
from flask import Flask, request

app = Flask(__name__)
PLUGINS = {"csv": "plugins.csv", "json": "plugins.json"}


@app.route("/formula")
def formula():
    return str(sympy.sympify(request.args["formula"]))  # expect: code-injection


@app.route("/console", methods=["POST"])
def console():
    code.InteractiveConsole().push(request.form["line"])  # expect: code-injection
    return "done"


@app.route("/plugin")
def plugin():
    import_string(request.args["plugin"])  # expect: code-injection
    import_string(PLUGINS[request.args["plugin"]])  # ok: code-injection
    return "done"


@app.route("/script")
def script():
    runpy.run_path("scripts/" + request.args["name"])  # expect: code-injection
    importlib.util.spec_from_file_location("plugin", request.args["file"])  # expect: code-injection
    return str(timeit.timeit("f()", number=int(request.args["count"])))  # ok: code-injection
