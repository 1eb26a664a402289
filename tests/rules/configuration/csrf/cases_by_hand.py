from functools import wraps

from flask import Flask, abort, redirect, request, session

app = Flask(__name__)


def csrf_checked(view):
    @wraps(view)
    def checked(*args, **kwargs):
        if request.form.get("token") != session["token"]:
            abort(403)
        return view(*args, **kwargs)

    return checked


def known(view):
    @wraps(view)
    def checked(*args, **kwargs):
        if "member" not in session:
            abort(401)
        return view(*args, **kwargs)

    return checked


def refuse_forged():
    if request.form.get("csrf_token") != session["csrf_token"]:
        abort(403)


@app.route("/remove/<int:number>", methods=["POST"])
@known
@csrf_checked
def remove(number):  # ok: csrf
    drop(number, session["member"])
    return redirect("/")


@app.route("/rename", methods=["POST"])
@known
def rename():  # ok: csrf
    refuse_forged()
    store(session["member"], request.form["name"])
    return redirect("/")


@app.route("/say", methods=["POST"])
@known
def say():  # expect: csrf
    store(session["member"], request.form["text"])
    return redirect("/")


def with_token(view):
    @wraps(view)
    def checked(*args, **kwargs):
        if decode(request.headers["Authorization"].removeprefix("Bearer ")) is None:
            abort(401)
        return view(*args, **kwargs)

    return checked


def staff_only(view):
    @wraps(view)
    @with_token
    def checked(*args, **kwargs):
        if not current_user.is_staff:
            abort(403)
        return view(*args, **kwargs)

    return checked


@app.route("/parcels/<int:number>", methods=["DELETE"])
@staff_only
def withdraw(number):  # ok: csrf
    user = current_user.name
    drop(number, user)
    return "", 204
