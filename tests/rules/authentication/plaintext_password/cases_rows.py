import sqlite3

from flask import Flask, request

app = Flask(__name__)


class Rows:
    @staticmethod
    def keep(statement):
        sqlite3.connect("x.db").execute(statement)


@app.post("/people")
def enrol():
    name, password = request.json["name"], request.json["password"]
    row = f"INSERT INTO people VALUES ('{name}', '', '{password}', 0)"
    Rows.keep(row)  # expect: plaintext-password
    return {}


@app.post("/notes")
def note():
    Rows.keep(f"INSERT INTO notes VALUES ('{request.json['text']}')")  # ok: plaintext-password
    return {}
