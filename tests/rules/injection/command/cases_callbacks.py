import functools
import os
import shlex
from concurrent.futures import ThreadPoolExecutor
from itertools import starmap

from flask import request

TOOLS = ("lint", "test")


def bare(text):
    return "--" + text.strip()


def known(text):
    return text in TOOLS


def run(name):
    os.system("ls " + name)  # expect: command-injection


def run_pair(_number, name):
    os.system("ls " + name)  # expect: command-injection


def weigh(name):
    return os.system("du " + name)  # expect: command-injection


@app.route("/plain")
def plain():
    os.system("ls " + " ".join(map(bare, request.args.getlist("name"))))  # expect: command-injection


@app.route("/around")
def around():
    name = request.args["name"]
    os.system(";".join(map(lambda tool: tool + " " + name, TOOLS)))  # expect: command-injection


@app.route("/folded")
def folded():
    name = request.args["name"]
    os.system(functools.reduce(lambda line, tool: line + tool + name, TOOLS, "cd /srv;"))  # expect: command-injection


@app.route("/parts")
def parts():
    jobs = list(map(lambda name: {"tool": "lint", "name": name}, request.args.getlist("name")))
    os.system("lint " + jobs[0]["name"])  # expect: command-injection
    os.system(jobs[0]["tool"] + " .")  # ok: command-injection


@app.route("/each")
def each():
    with ThreadPoolExecutor() as pool:
        pool.map(run, request.args.getlist("name"))
    list(starmap(run_pair, enumerate(request.args.getlist("name"))))
    return str(sorted(request.args.getlist("name"), key=weigh))


@app.route("/quoted")
def quoted():
    os.system("ls " + " ".join(map(shlex.quote, request.args.getlist("name"))))  # ok: command-injection


@app.route("/numbers")
def numbers():
    os.system("kill " + " ".join(map(str, map(int, request.args.getlist("number")))))  # ok: command-injection


@app.route("/chosen")
def chosen():
    os.system("make " + " ".join(filter(known, request.args.getlist("name"))))  # ok: command-injection


@app.route("/chosen-here")
def chosen_here():
    os.system("make " + " ".join(filter(lambda name: name in TOOLS, request.args.getlist("name"))))  # ok: command-injection


@app.route("/kept")
def kept():
    os.system("make " + " ".join(filter(lambda name: len(name) > 1, request.args.getlist("name"))))  # expect: command-injection


@app.route("/all-known")
def all_known():
    names = request.args.getlist("name")
    if not all(map(known, names)):
        return "no"
    os.system("make " + " ".join(names))  # ok: command-injection


@app.route("/any-known")
def any_known():
    names = request.args.getlist("name")
    if not any(map(known, names)):
        return "no"
    os.system("make " + " ".join(names))  # expect: command-injection


@app.route("/all-words")
def all_words():
    names = request.args.getlist("name")
    if not all(name in TOOLS for name in names):
        return "no"
    os.system("make " + " ".join(names))  # ok: command-injection
