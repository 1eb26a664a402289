import re

from flask import Flask, abort, request

app = Flask(__name__)
NUMBER = re.compile(r"^([A-Z0-9]+-?)+#\d$")


@app.get("/article")
def article():
    number = request.args.get("number", "")
    if not re.match(r"^([A-Z0-9]+-?)+#\d$", number):  # expect: regex-denial
        abort(400)
    return "ok"


@app.get("/compiled")
def compiled():
    if not NUMBER.fullmatch(request.args.get("number", "")):  # expect: regex-denial
        abort(400)
    return "ok"


@app.get("/replaced")
def replaced():
    return re.sub(r"^(a+)+$", "", request.args.get("text", ""))  # expect: regex-denial


def is_list(text):
    return bool(re.search(r"([0-9]+)+#", text))  # expect: regex-denial


@app.get("/handed-on")
def handed_on():
    return {"list": is_list(request.headers["X-List"])}


@app.get("/short")
def short():
    number = request.args.get("number", "")[:20]
    if not re.match(r"^([A-Z0-9]+-?)+#\d$", number):  # ok: regex-denial
        abort(400)
    return "ok"


@app.get("/tested")
def tested():
    number = request.args.get("number", "")
    if len(number) > 20 or not NUMBER.match(number):  # ok: regex-denial
        abort(400)
    return "ok"


@app.get("/fixed")
def fixed():
    if not re.match(r"^([A-Z0-9]+-?)+#\d$", app.config["NUMBER"]):  # ok: regex-denial
        abort(400)
    return "ok"


@app.get("/plain")
def plain():
    number = request.args.get("number", "")
    if not re.match(r"^[A-Z]{2}-\d{4,10}$", number):  # ok: regex-denial
        abort(400)
    return "ok"
