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


@app.get("/figures")
def figures():
    if request.headers.get("X-Inside") != "1" and session.get("role") != "admin":  # expect: spoofable-guard
        abort(403)
    return "f"


@app.get("/sums")
def sums():
    if session.get("role") != "admin":  # ok: spoofable-guard
        abort(403)
    return "s"


@app.get("/inside")
def inside():
    forwarded = request.headers.get("X-Forwarded-For")
    if forwarded:
        address = forwarded.split(",")[0]
    else:
        address = request.remote_addr
    if address == "127.0.0.1":  # expect: spoofable-guard
        return "secret"
    abort(403)


@app.get("/office")
def office():
    address = request.headers.get("X-Real-IP", "")
    if not address.startswith("192.168."):  # expect: spoofable-guard
        abort(403)
    return "office"


@app.get("/measured")
def measured():
    address = request.headers.get("X-Real-IP", "")
    if address.startswith("203.0."):  # ok: spoofable-guard
        return "elsewhere"
    return "here"


@app.get("/local")
def local():
    if request.remote_addr not in ("127.0.0.1", "::1"):  # ok: spoofable-guard
        abort(403)
    return "l"


@app.get("/noted")
def noted():
    address = request.headers.get("X-Real-IP")
    if address != "127.0.0.1":  # ok: spoofable-guard
        app.logger.info("from outside")
    return "n"
