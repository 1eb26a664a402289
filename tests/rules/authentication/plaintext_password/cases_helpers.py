import sqlite3

from flask import Flask, request

app = Flask(__name__)


def run_query(statement, values=()):
    return sqlite3.connect("x.db").execute(statement, values).fetchall()


@app.post("/new-password")
def new_password():
    password = request.json["password"]
    run_query("UPDATE users SET password = ? WHERE name = ?", (password, request.json["name"]))  # expect: plaintext-password
    return {}
