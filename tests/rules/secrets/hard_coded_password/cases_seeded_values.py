"""Accounts that a statement with place holders creates."""

import sqlite3

db = sqlite3.connect("x.db")


def seed(name, digest):
    db.execute("INSERT INTO users (username, password, admin) VALUES (?, ?, ?)", ("admin", "admin123", 1))  # expect: hard-coded-password


def careful(name, digest):
    db.execute("INSERT INTO users (username, password) VALUES (?, ?)", (name, digest))  # ok: hard-coded-password
    db.execute("INSERT INTO pages (title, body) VALUES (?, ?)", ("password", "How to choose one"))  # ok: hard-coded-password
