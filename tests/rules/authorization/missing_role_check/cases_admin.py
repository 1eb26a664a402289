import sqlite3
from functools import wraps

from flask import Flask, abort, g, jsonify, redirect, session

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


@app.get("/admin/accounts")
@login_required
def accounts():  # expect: missing-role-check
    return jsonify(db().execute("SELECT name FROM accounts").fetchall())


@app.get("/admin/usage")
@login_required
def usage():  # ok: missing-role-check
    if not g.user.is_staff:
        abort(403)
    return "u"


@app.get("/usage")
@login_required
def own_usage():  # ok: missing-role-check
    return "u"


@app.get("/admin/ledger")
@login_required
def ledger():  # ok: missing-role-check
    if not g.claims.get("works_here"):
        return {"message": "You are not an administrator"}, 403
    return jsonify(db().execute("SELECT name FROM ledger").fetchall())


@app.get("/admin/projects")
@login_required
def projects():  # ok: missing-role-check
    if not g.user.has_perm("manage_projects"):
        abort(403)
    return jsonify(db().execute("SELECT name FROM projects").fetchall())
