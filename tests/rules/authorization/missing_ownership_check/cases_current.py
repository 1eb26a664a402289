import sqlite3
from functools import wraps

from flask import Flask, jsonify, request

app = Flask(__name__)


def merchant_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if not request.headers.get("Authorization"):
            return "", 401
        return view(read(request.headers["Authorization"]), *args, **kwargs)

    return guarded


def rows(statement, values):
    return sqlite3.connect("x.db").execute(statement, values).fetchall()


def prepare():
    rows("CREATE TABLE sales (id INTEGER, seller_id INTEGER, total INTEGER)", ())


@app.get("/sales/<int:number>")
@merchant_required
def sale(current_merchant, number):
    own = (number, current_merchant["id"])
    return jsonify(rows("SELECT * FROM sales WHERE id = ? AND seller_id = ?", own))  # ok: missing-ownership-check


@app.get("/any-sale/<int:number>")
@merchant_required
def any_sale(current_merchant, number):
    return jsonify(rows("SELECT * FROM sales WHERE id = ?", (number,)))  # expect: missing-ownership-check
