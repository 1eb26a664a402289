import sqlite3

from flask import Flask, session

app = Flask(__name__)


@app.route("/orders")
def orders():
    cursor = sqlite3.connect("shop.db").cursor()
    cursor.execute("SELECT * FROM orders WHERE mail = '" + session["mail"] + "'")  # expect: sql-text
    return str(cursor.fetchall())


@app.route("/bills")
def bills():
    cursor = sqlite3.connect("shop.db").cursor()
    cursor.execute("SELECT * FROM bills WHERE mail = ?", (session["mail"],))  # ok: sql-text
    cursor.execute("SELECT * FROM bills WHERE kind = '" + app.config["KIND"] + "'")  # ok: sql-text
    return str(cursor.fetchall())
