import sqlite3

import psycopg2
from flask import Flask, abort, g, request
from sqlalchemy import text

app = Flask(__name__)
COLUMNS = {"name": "name", "age": "age"}


def connect():
    return sqlite3.connect("shop.db")


def run(query, parameters=()):
    return connect().cursor().execute(query, parameters)  # ok: sql-injection


class Store:
    def __init__(self):
        self.connection = psycopg2.connect("dbname=shop")

    def by_name(self, name):
        cursor = self.connection.cursor()
        cursor.execute("SELECT * FROM item WHERE name = '%s'" % name)  # expect: sql-injection
        return cursor.fetchall()

    def by_id(self, number):
        cursor = self.connection.cursor()
        cursor.execute("SELECT * FROM item WHERE id = %s", (number,))  # ok: sql-injection
        return cursor.fetchall()


@app.route("/concatenated")
def concatenated():
    name = request.args.get("name")
    cursor = connect().cursor()
    cursor.execute("SELECT * FROM user WHERE name = '" + name + "'")  # expect: sql-injection
    return {"rows": cursor.fetchall()}


@app.route("/wrapped/<name>")
def wrapped(name):
    query = f"SELECT * FROM user WHERE name = '{name}'"
    rows = run(query)  # expect: sql-injection
    return {"rows": list(rows)}


@app.route("/parameters")
def parameters():
    rows = run("SELECT * FROM user WHERE name = ?", (request.args["name"],))  # ok: sql-injection
    return {"rows": list(rows)}


@app.route("/methods")
def methods():
    store = Store()
    return {"rows": store.by_name(request.form["name"]), "row": store.by_id(request.form["id"])}


@app.route("/joined")
def joined():
    names = [f"'{each}'" for each in request.args.getlist("name")]
    with connect() as connection:
        connection.execute("SELECT * FROM user WHERE name IN (" + ", ".join(names) + ")")  # expect: sql-injection
    return {}


@app.route("/number")
def number():
    identifier = int(request.args["id"])
    connect().execute(f"SELECT * FROM user WHERE id = {identifier}")  # ok: sql-injection
    return {}


@app.route("/checked-number")
def checked_number():
    identifier = request.args["id"]
    if not identifier.isdigit():
        abort(400)
    connect().execute("SELECT * FROM user WHERE id = " + identifier)  # ok: sql-injection
    return {}


@app.route("/sorted")
def sorted_rows():
    column = request.args.get("by", "name")
    if column not in COLUMNS:
        column = "name"
    connect().execute("SELECT * FROM user ORDER BY " + column)  # ok: sql-injection
    return {}


@app.route("/looked-up")
def looked_up():
    column = COLUMNS.get(request.args["by"], "name")
    connect().execute("SELECT * FROM user ORDER BY " + column)  # ok: sql-injection
    return {}


@app.route("/too-late")
def too_late():
    column = request.args["by"]
    connect().execute("SELECT * FROM user ORDER BY " + column)  # expect: sql-injection
    if column not in COLUMNS:
        abort(400)
    return {}


@app.route("/overwritten")
def overwritten():
    column = request.args["by"]
    column = "name"
    connect().execute("SELECT * FROM user ORDER BY " + column)  # ok: sql-injection
    return {}


@app.route("/unknown-receiver")
def unknown_receiver():
    g.database.execute(text("SELECT * FROM user WHERE name = '" + request.cookies["name"] + "'"))  # expect: sql-injection
    return {}


def quoted(name):
    return '"{}"'.format(name.replace('"', '""'))


@app.route("/columns")
def columns():
    connect().execute(f"PRAGMA table_info({quoted(request.args['table'])})")  # ok: sql-injection
    connect().execute(f"PRAGMA table_info({request.args['table']})")  # expect: sql-injection
    return {}
