import re
import sqlite3
from functools import wraps

from flask import Flask, abort, g, jsonify, redirect, request, session

app = Flask(__name__)


def db():
    return sqlite3.connect("x.db")


def login_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if "user_id" not in session:
            return redirect("/login")
        return view(*args, **kwargs)

    return guarded


def admin_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if session.get("role") != "admin":
            abort(403)
        return view(*args, **kwargs)

    return guarded


def redeem(code):
    store = db()
    row = store.execute("SELECT * FROM coupons WHERE code = ?", (code,)).fetchone()
    if row["used"] >= row["max_uses"]:  # expect: check-then-act
        return 0
    store.execute("UPDATE coupons SET used = ? WHERE code = ?", (row["used"] + 1, code))
    return 1


def counted(code):
    store = db()
    row = store.execute("SELECT * FROM coupons WHERE code = ?", (code,)).fetchone()
    if row["used"] >= row["max_uses"]:  # ok: check-then-act
        return 0
    store.execute("UPDATE coupons SET used = used + 1 WHERE code = ? AND used < max_uses", (code,))
    return 1


def locked(code):
    store = db()
    row = store.execute("SELECT * FROM coupons WHERE code = ? FOR UPDATE", (code,)).fetchone()
    if row["used"] >= row["max_uses"]:  # ok: check-then-act
        return 0
    store.execute("UPDATE coupons SET used = ? WHERE code = ?", (row["used"] + 1, code))
    return 1


class Ledger:
    @staticmethod
    def ask(statement):
        return db().execute(statement).fetchall()

    @staticmethod
    def change(statement):
        store = db()
        store.execute(statement)
        store.commit()


def withdraw(account, amount):
    held = f"SELECT balance FROM wallets WHERE account = '{account}'"
    balance = Ledger.ask(held)[0][0]
    if balance < amount:  # expect: check-then-act
        return False
    Ledger.change(f"UPDATE wallets SET balance = {balance - amount} WHERE account = '{account}'")
    return True


def spend(account, amount):
    store = db()
    balance = store.execute("SELECT balance FROM wallets WHERE account = ?", (account,)).fetchone()[0]
    if balance >= amount:  # expect: check-then-act
        store.execute("UPDATE wallets SET balance = balance - ? WHERE account = ?", (amount, account))


def spend_if_there(account, amount):
    store = db()
    balance = store.execute("SELECT balance FROM wallets WHERE account = ?", (account,)).fetchone()[0]
    if balance >= amount:  # ok: check-then-act
        store.execute("UPDATE wallets SET balance = balance - ? WHERE account = ? AND balance >= ?", (amount, account, amount))
