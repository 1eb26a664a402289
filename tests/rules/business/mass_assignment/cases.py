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


class User:
    def __init__(self, name="", role=""):
        self.name = name
        self.role = role


FIELDS = ("name", "phone")


@app.put("/all")
@login_required
def everything():
    user = User()
    for name, value in request.get_json().items():
        setattr(user, name, value)  # expect: mass-assignment
    return "ok"


@app.put("/spread")
@login_required
def spread():
    user = User(**request.get_json())  # expect: mass-assignment
    return user.name


@app.put("/role")
@login_required
def role():
    user = User(role=request.form["role"])  # expect: mass-assignment
    return user.name


@app.put("/listed")
@login_required
def listed():
    user = User()
    for name, value in request.get_json().items():
        if name in FIELDS:
            setattr(user, name, value)  # ok: mass-assignment
    return "ok"


@app.put("/named")
@login_required
def named():
    user = User(name=request.form["name"])  # ok: mass-assignment
    return user.name


class Stored:
    def create(self, request, **given):
        return given


class Checked(Stored):
    def create(self, request, *args, **kwargs):
        return super().create(request, *args, **kwargs)  # ok: mass-assignment


@app.put("/inherited/<name>")
@login_required
def inherited(name):
    return Checked().create(request, **request.get_json())  # ok: mass-assignment


@app.put("/assembled")
@login_required
def assembled():
    user = User()
    given = {"name": request.form["name"]}
    given["town"] = request.form["town"]
    for name, value in given.items():
        setattr(user, name, value)  # ok: mass-assignment
    return "ok"


class Search:
    def __init__(self, text="", order=""):
        self.text = text
        self.order = order


class Shift:
    def __init__(self, role="", town=""):
        self.role = role
        self.town = town


@app.get("/search")
@login_required
def search():
    return Search(**request.args).text  # ok: mass-assignment


@app.post("/shift")
@login_required
def shift():
    return Shift(role=request.form["role"]).town  # ok: mass-assignment
