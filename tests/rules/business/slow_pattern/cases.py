import re

from flask import Flask, request

app = Flask(__name__)
TRAILING = re.compile(r"\s+$")


@app.post("/trim")
def trim():
    return TRAILING.sub("", request.form["text"])  # expect: slow-pattern


@app.post("/pairs")
def pairs():
    found = re.findall(r"[^=]*=[^=]*;", request.form["text"])  # expect: slow-pattern
    return {"count": len(found)}


@app.post("/start")
def start():
    found = re.search(r"^\d+x", request.form["text"])  # ok: slow-pattern
    return {"found": bool(found)}


@app.post("/bounded")
def bounded():
    text = request.form["text"]
    if len(text) > 200:
        return {"error": "too long"}, 400
    return {"text": TRAILING.sub("", text)}  # ok: slow-pattern


@app.post("/own")
def own():
    return {"text": TRAILING.sub("", "our own text  ")}  # ok: slow-pattern


@app.post("/words")
def words():
    found = re.search(r"(\w+)\s*:\s*(\w+)", request.form["text"])  # expect: slow-pattern
    return {"found": bool(found)}


@app.post("/parts")
def parts():
    return {"parts": re.split(r"\s*,\s*", request.form["text"])}  # expect: slow-pattern


@app.post("/fixed")
def fixed():
    return {"parts": re.split(r",", request.form["text"])}  # ok: slow-pattern
