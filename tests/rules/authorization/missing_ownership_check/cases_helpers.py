import sqlite3
from functools import wraps

from flask import Flask, abort, request

app = Flask(__name__)


def known(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        user = find_user(request.headers.get("Authorization"))
        if user is None:
            abort(401)
        return view(user, *args, **kwargs)

    return guarded


def query_db(statement, values=()):
    cursor = sqlite3.connect("bank.db").cursor()
    cursor.execute(statement, values)
    return cursor.fetchall()


@app.post("/cards/<int:card_id>/freeze")
@known
def freeze(current_user, card_id):
    statement = f"UPDATE card SET frozen = 1 WHERE id = {card_id}"
    query_db(statement)  # expect: missing-ownership-check
    return {"done_by": current_user["name"]}


@app.post("/cards/<int:card_id>/thaw")
@known
def thaw(current_user, card_id):
    query_db("UPDATE card SET frozen = 0 WHERE id = ? AND user_id = ?", (card_id, current_user["id"]))  # ok: missing-ownership-check
    return {}


@app.post("/cards/<int:card_id>/block")
@known
def block(current_user, card_id):
    if not current_user["is_admin"]:
        return {"error": "not allowed"}, 403
    query_db("UPDATE card SET blocked = 1 WHERE id = ?", (card_id,))  # ok: missing-ownership-check
    return {}
