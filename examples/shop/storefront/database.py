"""SQLite access: one connection per application context, rows by column name."""

import os
import sqlite3

from flask import current_app, g


def connection():
    if "db" not in g:
        path = current_app.config["DATABASE"]
        os.makedirs(os.path.dirname(path), exist_ok=True)
        g.db = sqlite3.connect(path, timeout=10)
        g.db.row_factory = sqlite3.Row
        g.db.execute("PRAGMA foreign_keys = ON")
    return g.db


def close(_error=None):
    db = g.pop("db", None)
    if db is not None:
        db.close()


def create_schema():
    with current_app.open_resource("schema.sql", mode="r") as file:
        connection().executescript(file.read())
    connection().commit()


def update(table, row_id, **values):
    """Set columns of one row. Callers name table and columns in the code."""
    assignments = ", ".join(f"{column} = ?" for column in values)
    db = connection()
    cursor = db.execute(f"UPDATE {table} SET {assignments} WHERE id = ?", (*values.values(), row_id))
    db.commit()
    return cursor.rowcount


def insert(statement, parameters):
    db = connection()
    cursor = db.execute(statement, parameters)
    db.commit()
    return cursor.lastrowid


def search(table, condition, limit=100):
    """Rows of a table that meet a condition, newest first."""
    query = "SELECT * FROM " + table + " WHERE " + condition + " ORDER BY id DESC LIMIT ?"
    return connection().execute(query, (limit,)).fetchall()
