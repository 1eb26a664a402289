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
