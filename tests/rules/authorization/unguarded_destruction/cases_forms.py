import sqlite3
from functools import wraps

from flask import Flask, redirect, request, session

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


@app.post("/change-password")
def change_password():  # ok: unguarded-destruction
    db().execute("UPDATE members SET password = ? WHERE name = ?", (request.form["password"], session["member"]))
    return redirect("/notes")


@app.post("/change-password-of")
def change_password_of():  # expect: unguarded-destruction
    db().execute("UPDATE members SET password = ? WHERE name = ?", (request.form["password"], request.form["name"]))
    return redirect("/notes")


@app.put("/notes/<int:number>")
def rewrite(number):  # expect: unguarded-destruction
    db().execute("UPDATE notes SET text = ? WHERE id = ?", (request.json["text"], number))
    return {"ok": True}


@app.patch("/drafts/<int:number>")
@member_only
def rewrite_draft(number):  # ok: unguarded-destruction
    db().execute("UPDATE drafts SET text = ? WHERE id = ? AND owner = ?", (request.json["text"], number, session["member"]))
    return {"ok": True}


@app.put("/preview/<int:number>")
def preview(number):  # ok: unguarded-destruction
    return {"shown": request.json["text"], "of": number}


@app.put("/letters")
def subscribe():  # ok: unguarded-destruction
    db().execute("INSERT INTO letters VALUES (?)", (request.json["mail"],))
    return {"ok": True}
