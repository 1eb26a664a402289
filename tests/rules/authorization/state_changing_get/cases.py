import sqlite3
from collections import Counter
from functools import wraps

import cherrypy
from flask import Flask, abort, redirect, request, session

app = Flask(__name__)
COUNTS = Counter()


def db():
    return sqlite3.connect("x.db")


@app.route("/delete/<int:number>")
def delete(number):  # expect: state-changing-get
    db().execute("DELETE FROM note WHERE id = ? AND user_id = ?", (number, session["user"]))
    return redirect("/")


@app.route("/disable")
def disable():  # expect: state-changing-get
    db().execute("UPDATE user SET second_factor = 0 WHERE id = ?", (session["user"],))
    return redirect("/")


@app.route("/remove/<int:number>", methods=["POST"])
def remove(number):  # ok: state-changing-get
    db().execute("DELETE FROM note WHERE id = ? AND user_id = ?", (number, session["user"]))
    return redirect("/")


@app.route("/edit/<int:number>", methods=["GET", "POST"])
def edit(number):  # ok: state-changing-get
    if request.method == "POST":
        db().execute("UPDATE note SET text = ? WHERE id = ?", (request.form["text"], number))
    return redirect("/")


@app.route("/tasks/<int:number>/complete")
def complete(number):  # expect: state-changing-get
    db().execute("UPDATE task SET done = 1 WHERE id = ? AND user_id = ?", (number, session["user"]))
    return redirect("/")


@app.route("/link/complete")
def linked():  # ok: state-changing-get
    db().execute("UPDATE account SET linked = 1 WHERE id = ?", (session["user"],))
    return redirect("/")


@app.route("/note/<int:number>")
def show(number):  # ok: state-changing-get
    db().execute("UPDATE note SET seen = seen + 1 WHERE id = ?", (number,))
    return redirect("/")


@app.route("/logout/delete-session")
def logout():  # ok: state-changing-get
    db().execute("DELETE FROM session WHERE id = ?", (session["id"],))
    return redirect("/")


class Pages:
    @cherrypy.expose
    def settings(self, action=None, **fields):  # expect: state-changing-get
        if action == "rename":
            self._rename(**fields)
        return "done"

    @cherrypy.expose
    def careful(self, action=None, **fields):  # ok: state-changing-get
        if cherrypy.request.method == "POST" and action == "rename":
            self._rename(**fields)
        return "done"

    @cherrypy.expose
    def view(self, colour=None, **fields):  # ok: state-changing-get
        if colour == "dark":
            cherrypy.response.cookie["colour"] = colour
        return "done"

    def _rename(self, name):
        self.store.rename(name)


def only_from_page(view):
    @wraps(view)
    def asked(*values, **named):
        if not request.headers.get("X-Requested-With"):
            abort(403)
        return view(*values, **named)

    return asked


def counted(view):
    @wraps(view)
    def asked(*values, **named):
        COUNTS[view.__name__] += 1
        return view(*values, **named)

    return asked


@app.route("/erase/<int:number>")
@only_from_page
def erase(number):  # ok: state-changing-get
    db().execute("DELETE FROM note WHERE id = ? AND user_id = ?", (number, session["user"]))
    return redirect("/")


@app.route("/purge/<int:number>")
@counted
def purge(number):  # expect: state-changing-get
    db().execute("DELETE FROM note WHERE id = ? AND user_id = ?", (number, session["user"]))
    return redirect("/")
