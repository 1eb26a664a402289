from functools import wraps

from flask import Flask, request, session
from werkzeug.security import check_password_hash

app = Flask(__name__)


def limited(view):
    @wraps(view)
    def inner(*args):
        return view(*args)

    return inner


@app.route("/login", methods=["POST"])
def login():  # expect: login-limit
    user = find(request.form["name"])
    if user and check_password_hash(user.hash, request.form["password"]):
        session["user"] = user.id
    return "ok"


@app.route("/sign-in", methods=["POST"])
@limited
def sign_in():  # ok: login-limit
    user = find(request.form["name"])
    return str(check_password_hash(user.hash, request.form["password"]))


@app.route("/enter", methods=["POST"])
def enter():  # ok: login-limit
    user = find(request.form["name"])
    if user.failures > 5:
        return "locked"
    return str(check_password_hash(user.hash, request.form["password"]))


@app.route("/register", methods=["POST"])
def register():  # ok: login-limit
    return store(request.form["name"], request.form["password"])


@app.route("/key", methods=["POST"])
def key():  # expect: login-limit
    return issue(request.form["name"], request.form["password"])


def issue(name, password):
    user = find(name)
    return user.key if check_password_hash(user.hash, password) else None


@app.route("/token", methods=["POST"])
def token():  # expect: login-limit
    return str(User.query.filter_by(name=request.json["name"], password=request.json["password"]).first())


@app.route("/news", methods=["POST"])
def news():  # ok: login-limit
    return request.form["title"]
