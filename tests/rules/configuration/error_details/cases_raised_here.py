from flask import Flask, flash, request

app = Flask(__name__)


@app.post("/enrol")
def enrol():
    try:
        if known(request.form["name"]):
            raise ValueError("This name is taken.")
        keep(request.form["name"])
    except ValueError as error:
        flash(str(error))  # ok: error-details
    return "ok"


@app.post("/count")
def count():
    try:
        return str(int(request.form["n"]) // parts())
    except ValueError as error:
        return str(error)  # expect: error-details


@app.post("/any")
def any_error():
    try:
        if not request.form["name"]:
            raise Exception("No name.")
        keep(request.form["name"])
    except Exception as error:
        return str(error)  # expect: error-details
