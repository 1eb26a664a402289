import re
import sqlite3
from functools import wraps

from flask import Flask, abort, g, jsonify, redirect, request, session
from flask_login import current_user

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


@app.route("/videos/<video>", methods=["GET", "PUT"])
def video_details(video):  # ok: unguarded-destruction
    if request.method == "PUT":
        if not current_user.is_authenticated:
            return "log in first", 401
        db().execute("UPDATE videos SET title = ? WHERE id = ?", (request.json["title"], video))
    return "done"


@app.route("/pictures/<picture>", methods=["GET", "PUT"])
def picture_details(picture):  # expect: unguarded-destruction
    if request.method == "PUT":
        db().execute("UPDATE pictures SET title = ? WHERE id = ?", (request.json["title"], picture))
    return "done"
