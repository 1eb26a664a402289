import base64
import json
import secrets

from flask import Flask, make_response, request
from itsdangerous import URLSafeSerializer

app = Flask(__name__)
signer = URLSafeSerializer(app.secret_key)


@app.route("/plain", methods=["POST"])
def plain():
    response = make_response("ok")
    response.set_cookie("username", request.form["username"])  # expect: forgeable-cookie
    return response


def encoded(response, username):
    session = base64.b64encode(json.dumps({"username": username}).encode())
    response.set_cookie("shop_session", session)  # expect: forgeable-cookie
    return response


def found(response, row):
    response.set_cookie("userid", row.userid)  # expect: forgeable-cookie
    return response


def mixed(response, username):
    response.set_cookie("session", f"{username}:{secrets.token_hex(16)}")  # ok: forgeable-cookie
    return response


def role(response, user):
    response.set_cookie("role", user.role, httponly=True)  # expect: forgeable-cookie
    return response


def signed(response, username):
    response.set_cookie("session", signer.dumps({"username": username}))  # ok: forgeable-cookie
    return response


def random_id(response, username, sessions):
    key = secrets.token_urlsafe()
    sessions[key] = username
    response.set_cookie("session", key)  # ok: forgeable-cookie
    return response


def signed_by_framework(response, username):
    response.set_cookie("user", username, secret=app.secret_key)  # ok: forgeable-cookie
    return response


def colour(response, username):
    response.set_cookie("theme", username)  # ok: forgeable-cookie
    return response


@app.route("/who")
def who():
    return {"name": request.cookies.get("username")}
