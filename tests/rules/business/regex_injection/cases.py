import re

from flask import Flask, request

app = Flask(__name__)
WORD = re.compile(r"\w+")


@app.route("/find")
def find():
    return {"found": bool(re.search(request.args["pattern"], "some text"))}  # expect: regex-injection


@app.route("/all")
def every():
    found = [each for each in ("a", "b") if re.match("^" + request.args["start"], each)]  # expect: regex-injection
    return {"found": found}


@app.route("/compiled", methods=["POST"])
def compiled():
    pattern = re.compile(request.get_json()["pattern"])  # expect: regex-injection
    return {"found": bool(pattern.search("some text"))}


@app.route("/replaced")
def replaced():
    return {"text": re.sub(request.args["old"], "", "some text")}  # expect: regex-injection


@app.route("/escaped")
def escaped():
    return {"found": bool(re.search(re.escape(request.args["text"]), "some text"))}  # ok: regex-injection


@app.route("/subject")
def subject():
    return {"found": bool(re.search(r"^\d+$", request.args["text"]))}  # ok: regex-injection


@app.route("/fixed")
def fixed():
    return {"found": bool(WORD.search(request.args["text"]))}  # ok: regex-injection


@app.route("/number")
def number():
    return {"found": bool(re.search("x" * int(request.args["count"]), "xxx"))}  # ok: regex-injection


def in_database(pattern, value):
    return re.search(pattern, value) is not None  # ok: regex-injection


def prepare(connection):
    connection.register_function(in_database, "regexp", 2)
