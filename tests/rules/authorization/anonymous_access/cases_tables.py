import sqlite3

from flask import Flask, jsonify, session

app = Flask(__name__)
SCHEMA = """CREATE TABLE letters (id INTEGER PRIMARY KEY, sender_id INTEGER, recipient_id INTEGER, content TEXT)"""


def store():
    return sqlite3.connect("x.db")


def prepare():
    store().execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, sender_id INTEGER, recipient_id INTEGER, content TEXT)")
    store().execute("CREATE TABLE statements (id INTEGER PRIMARY KEY, card INTEGER REFERENCES members(id), total INTEGER)")
    store().execute("CREATE TABLE documents (id INTEGER PRIMARY KEY, shelf INTEGER REFERENCES shelves(id))")


@app.get("/message/<int:number>")
def message(number):
    row = store().execute("SELECT * FROM messages WHERE id = ?", (number,)).fetchone()  # expect: anonymous-access
    return jsonify(row)


@app.get("/statement/<int:number>")
def statement(number):
    row = store().execute("SELECT * FROM statements WHERE id = ?", (number,)).fetchone()  # expect: anonymous-access
    return jsonify(row)


@app.get("/document/<int:number>")
def document(number):
    row = store().execute("SELECT * FROM documents WHERE id = ?", (number,)).fetchone()  # ok: anonymous-access
    return jsonify(row)


@app.get("/own/<int:number>")
def own(number):
    if "user_id" not in session:
        return "", 401
    found = store().execute("SELECT * FROM messages WHERE id = ? AND recipient_id = ?", (number, session["user_id"]))
    return jsonify(found.fetchone())  # ok: anonymous-access
