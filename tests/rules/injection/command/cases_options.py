import subprocess

from flask import Flask, request

app = Flask(__name__)


@app.route("/counted")
def counted():
    subprocess.run(["wc", "-c", request.args["file"]], shell=False)  # ok: command-injection
    return {}


@app.route("/searched")
def searched():
    subprocess.check_output(["grep", "-e", request.args["word"], "/srv/book.txt"])  # ok: command-injection
    return {}


@app.route("/as-other")
def as_other():
    subprocess.run(["su", "-c", "mail " + request.args["to"], "postman"])  # expect: command-injection
    return {}


@app.route("/by-tool")
def by_tool():
    tool = settings.shell
    subprocess.run([tool, "-c", request.args["line"]])  # expect: command-injection
    return {}
