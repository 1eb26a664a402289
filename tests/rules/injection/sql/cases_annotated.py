import sqlite3

from fastapi import FastAPI
from flask import Flask

app = Flask(__name__)
api = FastAPI()


@app.route("/parts/<number>")
def part(number: int):
    rows = sqlite3.connect("parts.db").execute(f"SELECT * FROM parts WHERE number = {number}")  # expect: sql-injection
    return str(rows.fetchall())


@app.route("/pieces/<int:number>")
def piece(number: int):
    rows = sqlite3.connect("parts.db").execute(f"SELECT * FROM pieces WHERE number = {number}")  # ok: sql-injection
    return str(rows.fetchall())


@api.get("/screws/{number}")
def screw(number: int):
    rows = sqlite3.connect("parts.db").execute(f"SELECT * FROM screws WHERE number = {number}")  # ok: sql-injection
    return rows.fetchall()
