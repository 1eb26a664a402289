import sqlite3

from flask import Flask, request

app = Flask(__name__)
OPEN = ("street", "town")


def keep(statement, values=()):
    store = sqlite3.connect("x.db")
    store.execute(statement, values)
    store.commit()


@app.put("/address/<int:number>")
def change(number):
    parts, values = [], []
    for key, value in request.json.items():
        parts.append(f"{key} = ?")  # expect: mass-assignment
        values.append(value)
    keep(f"UPDATE addresses SET {', '.join(parts)} WHERE id = ?", (*values, number))
    return {}


@app.post("/address")
def add():
    body = request.get_json()
    columns, values = ["town"], [body.get("town")]
    for key, value in body.items():
        if key != "town":
            columns.append(key)  # expect: mass-assignment
            values.append(value)
    statement = f"INSERT INTO addresses ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})"
    keep(statement, values)
    return {}


@app.put("/known/<int:number>")
def change_known(number):
    parts, values = [], []
    for key, value in request.json.items():
        if key in OPEN:
            parts.append(f"{key} = ?")  # ok: mass-assignment
            values.append(value)
    keep(f"UPDATE addresses SET {', '.join(parts)} WHERE id = ?", (*values, number))
    return {}


@app.get("/found")
def found():
    parts = []
    for key, value in request.args.items():
        parts.append(f"{key} = '{value}'")  # ok: mass-assignment
    return str(sqlite3.connect("x.db").execute(f"SELECT * FROM addresses WHERE {' AND '.join(parts)}").fetchall())
