import ast
import importlib
import json

from django.http import JsonResponse
from flask import Flask, request
from PIL import ImageMath

app = Flask(__name__)
OPERATIONS = {"double": lambda x: x * 2, "half": lambda x: x / 2}


def view(request):
    return JsonResponse({"answer": eval(request.GET["expression"])})  # expect: code-injection


def posted(request):
    exec(request.POST.get("code", ""))  # expect: code-injection
    return JsonResponse({})


@app.post("/calculate")
def calculate():
    data = json.loads(request.data)
    formula = data["formula"]
    return str(eval(formula, {"__builtins__": {}}))  # expect: code-injection


@app.route("/plugin/<name>")
def plugin(name):
    return importlib.import_module("plugins." + name).run()  # expect: code-injection


def forwarded(request):
    function = globals().get(request.GET["page"])  # expect: code-injection
    return function(request)


@app.route("/literal")
def literal():
    return {"value": ast.literal_eval(request.args["value"])}  # ok: code-injection


@app.route("/table")
def table():
    chosen = OPERATIONS[request.args["operation"]]
    return {"value": eval("2 + 2"), "chosen": chosen(2)}  # ok: code-injection


@app.route("/choice")
def choice():
    name = request.args["name"]
    if name not in ("csv", "json"):
        return "unknown", 404
    return importlib.import_module("exporters." + name).run()  # ok: code-injection


@app.route("/quoted")
def quoted():
    text = request.args["text"]
    if not text.startswith("'") or not text.endswith("'") or "'" in text[1:-1]:
        return "not a plain text", 400
    return eval(text)  # ok: code-injection


def helper(expression):
    return eval(expression)  # ok: code-injection


@app.route("/filter")
def image_filter():
    return str(ImageMath.eval(request.args["filter"], a=1))  # expect: code-injection
