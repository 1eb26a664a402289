import sqlite3

from flask import Flask, jsonify, render_template

app = Flask(__name__)
store = sqlite3.connect("members.db")
store.execute("CREATE TABLE IF NOT EXISTS members (id INTEGER, name TEXT, password TEXT)")
store.execute("CREATE TABLE IF NOT EXISTS rooms (id INTEGER, name TEXT)")


@app.route("/members")
def members():
    rows = store.execute("SELECT * FROM members").fetchall()  # expect: exposed-field
    return jsonify([dict(row) for row in rows])


@app.route("/members/<int:number>")
def member(number):
    cursor = store.cursor()
    cursor.execute("SELECT name, password FROM members WHERE id = ?", (number,))
    found = cursor.fetchone()  # expect: exposed-field
    return jsonify(found)


@app.route("/everybody")
def everybody():
    answer = []
    for row in store.execute("SELECT name, ssn FROM people"):  # expect: exposed-field
        answer.append(list(row))
    return {"people": answer}


@app.route("/names")
def names():
    rows = store.execute("SELECT * FROM members").fetchall()  # ok: exposed-field
    return jsonify([row[1] for row in rows])


@app.route("/rooms")
def rooms():
    return jsonify(store.execute("SELECT * FROM rooms").fetchall())  # ok: exposed-field


@app.route("/counted")
def counted():
    rows = store.execute("SELECT * FROM members").fetchall()  # ok: exposed-field
    return jsonify(len(rows))


def every_member():
    return store.execute("SELECT * FROM members").fetchall()  # ok: exposed-field


@app.route("/archive")
def archive():
    return jsonify(every_member())  # expect: exposed-field


@app.route("/board")
def board():
    return render_template("board.html", members=every_member())  # ok: exposed-field


@app.route("/vault/<name>")
def vault(name):
    entry = store.search(name)[0]
    plain = decrypt(entry["password"])
    return jsonify({"name": name, "password": plain})  # expect: exposed-field


@app.route("/draw")
def draw():
    password = make_password()
    return jsonify({"password": password})  # ok: exposed-field
