import os
import re
import shlex
import subprocess

from flask import Flask, request

app = Flask(__name__)
DEBUG_LEVEL = 3
HOST = re.compile(r"[a-z0-9.-]+")


def ping(host):
    return subprocess.check_output("ping -c 1 " + host, shell=True)  # expect: command-injection


@app.route("/ping")
def handle_ping():
    return ping(request.args["host"])


@app.route("/system")
def system():
    os.system(f"convert {request.form['file']} out.png")  # expect: command-injection
    return "done"


@app.route("/shell-list")
def shell_list():
    subprocess.run(["sh", "-c", "echo " + request.args["word"]])  # expect: command-injection
    return "done"


@app.route("/program")
def program():
    command = request.json["command"].split()
    subprocess.Popen(command)  # expect: command-injection
    return "done"


@app.route("/popen")
def popen():
    parts = {"target": request.headers.get("X-Target"), "tool": "dig"}
    return os.popen(parts["tool"] + " " + parts["target"]).read()  # expect: command-injection


@app.route("/list")
def as_list():
    subprocess.run(["ping", "-c", "1", request.args["host"]])  # ok: command-injection
    return "done"


@app.route("/quoted")
def quoted():
    os.system("convert " + shlex.quote(request.form["file"]) + " out.png")  # ok: command-injection
    return "done"


def in_quotes(word):
    return "'" + word.replace("'", "'\"'\"'") + "'"


def in_wrong_quotes(word):
    return '"' + word.replace('"', "") + '"'


@app.route("/own")
def own_quotes():
    os.system("convert " + in_quotes(request.form["file"]) + " out.png")  # ok: command-injection
    os.system("convert " + in_wrong_quotes(request.form["file"]) + " out.png")  # expect: command-injection
    return "done"


@app.route("/matched")
def matched():
    host = request.args["host"]
    if not HOST.fullmatch(host):
        return "bad host", 400
    os.system("ping " + host)  # ok: command-injection
    return "done"


@app.route("/other-element")
def other_element():
    parts = {"target": request.headers.get("X-Target"), "tool": "dig"}
    return os.popen(parts["tool"] + " localhost").read()  # ok: command-injection


@app.route("/never")
def never():
    count = 4
    target = request.args["host"] if count * 2 > 10 else "localhost"
    os.system("ping " + target)  # ok: command-injection
    return "done"
