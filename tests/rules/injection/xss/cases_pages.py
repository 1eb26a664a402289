import sqlite3
from urllib.parse import urlencode

from flask import Flask, render_template, request

app = Flask(__name__)


@app.route("/search")
def search():
    following = "?" + urlencode(request.args)
    return render_template(
        "cases_search.html", query=request.args["q"], page=int(request.args["page"]), following=following
    )


@app.post("/notes")
def create():
    connection = sqlite3.connect("notes.db")
    connection.execute("INSERT INTO notes (title, body) VALUES (?, ?)", ("note", request.form["body"]))
    return {}


@app.route("/notes")
def notes():
    rows = sqlite3.connect("notes.db").execute("SELECT title, body FROM notes").fetchall()
    return render_template("cases_notes.html", notes=rows)
