from cases_elsewhere import parts
from flask import abort, session


def query_db(statement, values=()):
    return parts.database.cursor().execute(statement, values).fetchall()


@parts.get("/loans")
def loans():  # ok: missing-authentication
    if "user" not in session:
        abort(401)
    return {"loans": query_db("SELECT amount FROM loan WHERE user_id = ?", (session["user"],))}


@parts.get("/balance/<number>")
def balance(number):  # expect: missing-authentication
    return {"found": query_db(f"SELECT balance FROM accounts WHERE number = '{number}'")}


@parts.get("/people/<name>")
def person(name):  # ok: missing-authentication
    return {"found": query_db("SELECT motto FROM members WHERE name = ?", (name,))}
