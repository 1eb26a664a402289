from functools import wraps

from flask import Flask, abort, redirect, session
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import text

app = Flask(__name__)
db = SQLAlchemy(app)


def prepare(connection):
    connection.execute("CREATE TABLE letters (id INTEGER, body TEXT, writer INTEGER, FOREIGN KEY(writer) REFERENCES users(id))")


class Letters:
    def __init__(self, store=db):
        self.store = store

    def drop(self, number):
        statement = "DELETE FROM letters WHERE id = :number"
        self.store.session.execute(text(statement), {"number": number})
        self.store.session.commit()

    def drop_own(self, number, writer):
        statement = "DELETE FROM letters WHERE id = :number AND writer = :writer"
        self.store.session.execute(text(statement), {"number": number, "writer": writer})
        self.store.session.commit()


letters = Letters()


class Desk:
    def __init__(self, kept=letters):
        self.kept = kept

    def throw_away(self, number):
        return self.kept.drop(number)

    def throw_own_away(self, number):
        return self.kept.drop_own(number, session["user_id"])


desk = Desk()


def known(view):
    @wraps(view)
    def checked(*args, **kwargs):
        if "user_id" not in session:
            abort(401)
        return view(*args, **kwargs)

    return checked


@app.route("/letters/<int:number>/drop", methods=["POST"])
@known
def drop(number):
    desk.throw_away(number)  # expect: missing-ownership-check
    return redirect("/")


@app.route("/letters/<int:number>/drop-own", methods=["POST"])
@known
def drop_own(number):
    desk.throw_own_away(number)  # ok: missing-ownership-check
    return redirect("/")
