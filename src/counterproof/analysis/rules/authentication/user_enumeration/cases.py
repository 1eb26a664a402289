from flask import Flask, flash, redirect, request
from werkzeug.security import check_password_hash

app = Flask(__name__)
users = {}


@app.route("/login", methods=["POST"])
def login():
    user = users.get(request.form["name"])
    if user is None:
        return "User does not exist", 404  # expect: user-enumeration
    if not check_password_hash(user.password, request.form["password"]):
        return "The password is wrong", 403
    return redirect("/")


@app.route("/enter", methods=["POST"])
def enter():
    user = users.get(request.form["name"])
    if user is None or not check_password_hash(user.password, request.form["password"]):
        flash("Wrong user name or password")
    return redirect("/")


@app.route("/api/login", methods=["POST"])
def api_login():
    user = users.get(request.json["name"])
    if user and check_password_hash(user.password, request.json["password"]):
        return {"ok": True}
    return {"error": "Incorrect password"}, 401  # ok: user-enumeration


@app.route("/user/<name>")
def profile(name):
    if name not in users:
        return "User not found", 404  # ok: user-enumeration
    return users[name].public()


def accepted(name, password, stored_password):
    if name != "keeper":
        return "Username is invalid"  # expect: user-enumeration
    if password == stored_password:
        return "Welcome"
    return "Password incorrect"
