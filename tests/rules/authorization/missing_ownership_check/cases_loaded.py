import sqlite3

from flask import Flask, abort, jsonify, session

app = Flask(__name__)


def db():
    return sqlite3.connect("x.db")


def ask_for_login():
    if "user_id" not in session:
        abort(401)


def mine(number):
    row = db().execute("SELECT * FROM parcels WHERE id = ?", (number,)).fetchone()
    if row["user_id"] != session["user_id"]:
        abort(404)
    return row


@app.get("/parcels/<int:number>")
def shown(number):
    ask_for_login()
    row = db().execute("SELECT * FROM parcels WHERE id = ?", (number,)).fetchone()  # expect: missing-ownership-check
    return jsonify(dict(row))


@app.get("/parcels/<int:number>/label")
def label(number):
    somebody = db().execute("SELECT * FROM users WHERE id = ?", (session.get("user_id"),)).fetchone()
    if somebody is None:
        abort(401)
    row = db().execute("SELECT * FROM parcels WHERE id = ?", (number,)).fetchone()  # expect: missing-ownership-check
    return jsonify(dict(row))


@app.get("/parcels/<int:number>/mine")
def own(number):
    ask_for_login()
    return jsonify(dict(mine(number)))  # ok: missing-ownership-check


@app.get("/parcels/<int:number>/compared")
def compared(number):
    somebody = db().execute("SELECT * FROM users WHERE id = ?", (session.get("user_id"),)).fetchone()
    if somebody is None:
        abort(401)
    row = db().execute("SELECT * FROM parcels WHERE id = ?", (number,)).fetchone()  # ok: missing-ownership-check
    if row["user_id"] != somebody["id"]:
        abort(404)
    return jsonify(dict(row))
