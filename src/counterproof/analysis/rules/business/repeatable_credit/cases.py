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


def set_status(order_id, status):
    db().execute("UPDATE orders SET status = ?", (status,))


def add_credit(user_id, cents):
    db().execute("UPDATE users SET credit = credit + ?", (cents,))


def move(order_id, before, after):
    return db().execute("UPDATE orders SET status = ? WHERE status = ?", (after, before)).rowcount == 1


@app.post("/cancel")
@login_required
def cancel():
    set_status(1, "cancelled")  # expect: repeatable-credit
    add_credit(session["user_id"], 100)
    return "ok"


@app.post("/return")
@login_required
def returned():
    if not move(1, "paid", "cancelled"):
        abort(409)
    add_credit(session["user_id"], 100)  # ok: repeatable-credit
    return "ok"
