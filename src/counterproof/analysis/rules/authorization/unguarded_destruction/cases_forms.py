import sqlite3
from functools import wraps

from flask import Flask, redirect, session

app = Flask(__name__)


def db():
    return sqlite3.connect("notes.db")


def member_only(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if "member" not in session:
            return redirect("/login")
        return view(*args, **kwargs)

    return guarded


@app.get("/notes")
@member_only
def notes():  # ok: unguarded-destruction
    return str(db().execute("SELECT * FROM notes").fetchall())


@app.post("/notes/<int:number>/delete")
def drop(number):  # expect: unguarded-destruction
    db().execute("DELETE FROM notes WHERE id = ?", (number,))
    return redirect("/notes")


@app.post("/drafts/<int:number>/delete")
@member_only
def drop_draft(number):  # ok: unguarded-destruction
    db().execute("DELETE FROM drafts WHERE id = ? AND owner = ?", (number, session["member"]))
    return redirect("/notes")


@app.post("/unsubscribe/<key>/remove")
def unsubscribe(key):  # ok: unguarded-destruction
    db().execute("DELETE FROM letters WHERE key = ?", (key,))
    return redirect("/")
