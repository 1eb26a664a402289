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


def by_id(order_id):
    return db().execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()


def of_user(order_id, user_id):
    return db().execute("SELECT * FROM orders WHERE id = ? AND user_id = ?", (order_id, user_id)).fetchone()


def product(product_id):
    return db().execute("SELECT * FROM products WHERE id = ?", (product_id,)).fetchone()


@app.get("/orders/<int:order_id>")
@login_required
def show(order_id):
    row = by_id(order_id)  # expect: missing-ownership-check
    return jsonify(dict(row))


@app.get("/orders/<int:order_id>/print")
@login_required
def printed(order_id):
    if app.testing:
        row = by_id(order_id)  # expect: missing-ownership-check
    else:
        row = of_user(order_id, session["user_id"])
    return jsonify(dict(row))


@app.get("/orders/<int:order_id>/own")
@login_required
def own(order_id):
    row = of_user(order_id, session["user_id"])  # ok: missing-ownership-check
    return jsonify(dict(row))


@app.get("/orders/<int:order_id>/compared")
@login_required
def compared(order_id):
    row = by_id(order_id)  # ok: missing-ownership-check
    if row["user_id"] != session["user_id"]:
        abort(404)
    return jsonify(dict(row))


@app.get("/products/<int:product_id>")
@login_required
def shown(product_id):
    row = product(product_id)  # ok: missing-ownership-check
    return jsonify(dict(row))


@app.get("/orders/<int:order_id>/any")
@admin_required
def anybody(order_id):
    row = by_id(order_id)  # ok: missing-ownership-check
    return jsonify(dict(row))


@app.post("/orders/<int:order_id>/hide")
@login_required
def hidden(order_id):
    row = by_id(order_id)  # ok: missing-ownership-check
    if not Permission("hide", row["team"]):
        abort(403)
    return jsonify(dict(row))


@app.get("/orders/<int:order_id>/greeted")
@login_required
def greeted(order_id):
    name = session["user_id"]
    row = by_id(order_id)  # expect: missing-ownership-check
    app.logger.info("shown to %s", name)
    return render_template("order.html", order=row, name=name)


@app.get("/orders/<int:order_id>/known")
def known(order_id):
    if "user_id" not in session:
        return redirect("/login")
    row = by_id(order_id)  # expect: missing-ownership-check
    return jsonify(dict(row))


def among_own(order_id):
    return db().execute("SELECT * FROM orders WHERE id = ? AND user_id = ?", (order_id, session["user_id"])).fetchone()


@app.get("/orders/<int:order_id>/mine")
@login_required
def mine(order_id):
    row = among_own(order_id)  # ok: missing-ownership-check


@app.get("/orders/<int:order_id>/confirm/<token>")
@login_required
def confirmed(order_id, token):
    row = by_id(order_id)  # ok: missing-ownership-check
    if row["token"] != token:
        abort(404)
    return jsonify(dict(row))
