import sqlite3
from functools import wraps

from flask import Flask, jsonify, render_template, request, session

app = Flask(__name__)
MEMBER_TABLE = "members"
ACCOUNTS = [{"name": "a", "email": "a@example.org"}]


def known(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if "user_id" not in session:
            return "", 401
        return view(*args, **kwargs)

    return guarded


def rows(statement, values=()):
    return sqlite3.connect("x.db").execute(statement, values).fetchall()


@app.get("/me")
@known
def me():
    return jsonify(rows("SELECT * FROM members WHERE id = ?", (session["user_id"],)))


@app.get("/me/friends")
@known
def friends():
    return jsonify(rows("SELECT * FROM friends WHERE of = ?", (session["user_id"],)))


@app.get("/directory")
def directory():  # expect: missing-authentication
    found = rows("SELECT id, name, email FROM members")
    return jsonify([{"id": row[0], "name": row[1], "email": row[2]} for row in found])


@app.get("/staffroom")
def staffroom():  # expect: missing-authentication
    people = []
    for row in rows(f"SELECT * FROM {MEMBER_TABLE} WHERE works_here = 1"):
        person = {}
        person["name"], person["phone"] = row[:2]
        people.append(person)
    return jsonify(people)


@app.get("/people.json")
def everything():  # expect: missing-authentication
    return jsonify(ACCOUNTS)


@app.get("/names")
def names():  # ok: missing-authentication
    found = rows("SELECT id, name FROM members")
    return jsonify([{"id": row[0], "name": row[1]} for row in found])


@app.get("/page")
def page():  # ok: missing-authentication
    return render_template("people.html", people=rows("SELECT name, email FROM members"))


@app.get("/shops")
def shops():  # ok: missing-authentication
    return jsonify([{"name": row[0], "phone": row[1]} for row in rows("SELECT name, phone FROM shops")])
