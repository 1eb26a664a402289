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


@app.post("/reset-all")
def wipe():  # expect: unguarded-destruction
    db().execute("DROP TABLE users")
    return "done"


@app.delete("/users/<name>")
def remove(name):  # expect: unguarded-destruction
    db().execute("DELETE FROM users WHERE name = ?", (name,))
    return "done"


@app.post("/notes")
def notes():  # ok: unguarded-destruction
    db().execute("INSERT INTO notes (text) VALUES (?)", (request.form["text"],))
    return "done"


@app.delete("/coupons/<code>")
@login_required
def retire(code):  # ok: unguarded-destruction
    db().execute("DELETE FROM coupons WHERE code = ?", (code,))
    return "done"


@app.post("/empty")
@admin_required
def empty():  # ok: unguarded-destruction
    db().execute("DROP TABLE notes")
    return "done"


@app.post("/users/<name>/set-password")
def set_password(name):  # expect: unguarded-destruction
    db().execute("UPDATE users SET password = ? WHERE name = ?", (request.form["password"], name))
    return "done"
