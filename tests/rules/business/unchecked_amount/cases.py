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


@app.post("/cart")
def add():
    quantity = request.form.get("quantity", default=1, type=int)  # expect: unchecked-amount
    cart = session.setdefault("cart", {})
    cart["x"] = cart.get("x", 0) + quantity
    return "ok"


@app.post("/basket")
def bounded():
    quantity = request.form.get("quantity", default=1, type=int)  # ok: unchecked-amount
    if not 1 <= quantity <= 9:
        abort(400)
    cart = session.setdefault("cart", {})
    cart["x"] = cart.get("x", 0) + quantity
    return "ok"


@app.post("/bag")
def clamped():
    quantity = max(1, request.form.get("quantity", default=1, type=int))  # ok: unchecked-amount
    cart = session.setdefault("cart", {})
    cart["x"] = cart.get("x", 0) + quantity
    return "ok"


@app.post("/transfer")
def transfer():
    amount = float(request.form.get("amount"))  # expect: unchecked-amount
    if funds() >= abs(amount):
        db().execute("UPDATE users SET balance = balance - ? WHERE id = ?", (amount, session["user_id"]))
    return "ok"


@app.post("/transfer/checked")
def checked_transfer():
    amount = float(request.form.get("amount"))  # ok: unchecked-amount
    if amount <= 0 or funds() < amount:
        abort(400)
    db().execute("UPDATE users SET balance = balance - ? WHERE id = ?", (amount, session["user_id"]))
    return "ok"


@app.get("/loans/calculate")
def rate():
    amount = float(request.args.get("amount"))  # ok: unchecked-amount
    return jsonify({"monthly": amount * 0.02, "sum": amount + 12})


@app.get("/cart/add")
def added_by_a_link():
    quantity = request.args.get("quantity", default=1, type=int)  # expect: unchecked-amount
    cart = session.setdefault("cart", {})
    cart["x"] = cart.get("x", 0) + quantity
    return "ok"
