import contextlib
import subprocess
import types
import typing

from flask import Flask, request
from netmiko import ConnectHandler

app = Flask(__name__)


def started(command):
    return subprocess.run(command)  # expect: command-injection


@app.route("/started")
def start_some():
    started(["ping", "-c", "1", request.args["host"]])
    return {"code": started(request.args["tool"]).returncode}


def listed(command):
    return subprocess.run(command)  # ok: command-injection


@app.route("/listed")
def start_listed():
    listed(["ping", "-c", "1", request.args["host"]])
    return "done"


def ask(switch, line):
    switch.send_command(line)  # expect: command-injection


@app.route("/switch")
def switch():
    ask(ConnectHandler(host="switch.example"), request.args["line"])
    return "done"


run_text = lambda text: subprocess.run(text, shell=True)


@app.route("/lambda")
def by_lambda():
    run_text("ls /srv")  # ok: command-injection
    run_text("ping " + request.args["host"])  # expect: command-injection
    return "done"


@contextlib.contextmanager
def opened(name):
    yield {"name": name, "tool": "ls"}


@app.route("/context")
def by_context():
    with opened(request.args["name"]) as found:
        subprocess.run(found["tool"], shell=True)  # ok: command-injection
        subprocess.run("ls " + found["name"], shell=True)  # expect: command-injection
    return "done"


@app.route("/space")
def by_namespace():
    kept = types.SimpleNamespace(name=typing.cast(str, request.args["name"]), tool="ls")
    subprocess.run("{0} -l".format(kept.tool), shell=True)  # ok: command-injection
    subprocess.run("%s %s" % (kept.tool, kept.name), shell=True)  # expect: command-injection
    return "done"


def words_only(text):
    if not text.isalnum():
        raise ValueError(text)


@app.route("/insisted")
def insisted():
    host = request.args["host"]
    words_only(host)
    subprocess.run("ping " + host, shell=True)  # ok: command-injection
    return "done"
