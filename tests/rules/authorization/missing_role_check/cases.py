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


@app.get("/reports")
@admin_required
def reports():
    return "r"


@app.post("/products")
@admin_required
def products():
    db().execute("INSERT INTO products (name) VALUES (?)", (request.form["name"],))
    return "done"


@app.post("/prices")
@admin_required
def prices():
    db().execute("UPDATE products SET price = 1")
    return "done"


@app.get("/audit")
@login_required
def audit():  # expect: missing-role-check
    return "log"


@app.get("/figures")
@admin_required
def figures():  # ok: missing-role-check
    return "f"
