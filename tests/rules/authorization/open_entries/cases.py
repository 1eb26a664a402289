import sqlite3

from flask import Flask, request, session

app = Flask(__name__)
db = sqlite3.connect("x.db")


@app.post("/login")
def login():  # ok: open-entries
    session["user"] = request.form["name"]
    return "", 204


@app.post("/items")
def add():  # expect: open-entries
    db.execute("INSERT INTO items (name) VALUES (?)", (request.form["name"],))
    return "", 204


@app.get("/items/<int:item>")
def show(item):  # ok: open-entries
    return str(db.execute("SELECT name FROM items WHERE id = ?", (item,)).fetchone())


@app.post("/paid")
def paid():  # ok: open-entries
    if not verify_signature(request.data, request.headers["X-Signature"]):
        return "", 403
    db.execute("UPDATE items SET paid = 1")
    return "", 204


@app.get("/items/search")
def search():  # ok: open-entries
    db.execute("INSERT INTO searches (word) VALUES (?)", (request.args["word"],))
    return str(db.execute("SELECT name FROM items WHERE name = ?", (request.args["word"],)).fetchall())


@app.post("/items/<int:item>/reviews")
def review(item):  # ok: open-entries
    db.execute("INSERT INTO reviews (item, text) VALUES (?, ?)", (item, request.form["text"]))
    return "", 204


@app.post("/marks")
def mark():  # ok: open-entries
    db.execute("INSERT INTO marks (name) VALUES (?)", (session["user"],))
    return "", 204
