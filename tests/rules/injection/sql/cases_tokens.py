import sqlite3

import jwt
from flask import Flask, request
from jose import jwt as other
from jwt import decode as read

app = Flask(__name__)
store = sqlite3.connect("x.db")


def claims():
    return read(request.headers["Authorization"], app.config["KEY"], algorithms=["HS256"])


@app.route("/own")
def own():
    return str(store.execute(f"SELECT * FROM t WHERE id = '{claims()['id']}'").fetchall())  # ok: sql-injection


@app.route("/believed")
def believed():
    said = jwt.decode(request.headers["Authorization"], options={"verify_signature": False})
    return str(store.execute(f"SELECT * FROM t WHERE id = '{said['id']}'").fetchall())  # expect: sql-injection


@app.route("/anything")
def anything():
    said = other.decode(request.cookies["t"], "", algorithms=["none"])
    return str(store.execute(f"SELECT * FROM t WHERE id = '{said['id']}'").fetchall())  # expect: sql-injection
