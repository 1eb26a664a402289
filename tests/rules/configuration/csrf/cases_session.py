import sqlite3

from flask import Flask, redirect, render_template, request, session

app = Flask(__name__)


def database():
    return sqlite3.connect("shelf.db")


def visitor():
    if "mail" not in session:
        return False, ""
    return True, session["mail"]


@app.route("/shelf/add", methods=["GET", "POST"])
def add():  # expect: csrf
    known, mail = visitor()
    if request.method == "POST":
        if known:
            database().execute("INSERT INTO shelf (title, mail) VALUES (?, ?)", (request.form["title"], mail))
        else:
            return redirect("/enter")
    return render_template("add.html")


@app.route("/shelf", methods=["GET", "POST"])
def shelf():  # ok: csrf
    known, mail = visitor()
    rows = database().execute("SELECT title FROM shelf WHERE mail = ?", (mail,)).fetchall()
    return render_template("shelf.html", rows=rows, known=known)


@app.route("/enter", methods=["POST"])
def enter():  # ok: csrf
    known, mail = visitor()
    if not known:
        database().execute("UPDATE people SET seen = 1 WHERE mail = ?", (request.form["mail"],))
        session["mail"] = request.form["mail"]
    return redirect("/shelf")


@app.route("/ask", methods=["POST"])
def ask():  # ok: csrf
    database().execute("INSERT INTO questions (text) VALUES (?)", (request.form["text"],))
    return redirect("/shelf")
