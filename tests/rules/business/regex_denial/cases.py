import re
import sqlite3
from functools import wraps

from flask import Flask, abort, g, jsonify, redirect, request, session

app = Flask(__name__)


def db():
    return sqlite3.connect("x.db")


def login_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if "user_id" not in session:
            return redirect("/login")
        return view(*args, **kwargs)

    return guarded


def admin_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if session.get("role") != "admin":
            abort(403)
        return view(*args, **kwargs)

    return guarded


@app.get("/article")
def article():
    number = request.args.get("number", "")
    if not re.match(r"^([A-Z0-9]+-?)+#\d$", number):  # expect: regex-denial
        abort(400)
    return "ok"


@app.get("/short")
def short():
    number = request.args.get("number", "")[:20]
    if not re.match(r"^([A-Z0-9]+-?)+#\d$", number):  # ok: regex-denial
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
