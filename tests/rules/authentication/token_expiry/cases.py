"""Annotated cases for token-expiry."""

import datetime

import jwt
from flask import Flask, jsonify, request
from flask_jwt_extended import create_access_token

from people import check, claims_of

app = Flask(__name__)
app.config["JWT_ACCESS_TOKEN_EXPIRES"] = False  # expect: token-expiry
KEY = app.config["TOKEN_KEY"]


@app.post("/enter")
def enter():
    person = check(request.json)
    return jsonify(token=jwt.encode({"sub": person.number, "scope": "read"}, KEY, algorithm="HS256"))  # expect: token-expiry


@app.post("/enter-longhand")
def enter_longhand():
    person = check(request.json)
    claims = {"email": person.email, "iat": datetime.datetime.now(datetime.UTC)}
    claims["admin"] = person.admin
    return jsonify(token=jwt.encode(claims, KEY, algorithm="HS256"))  # expect: token-expiry


@app.post("/enter-for-a-while")
def enter_for_a_while():
    person = check(request.json)
    claims = {"email": person.email}
    claims["exp"] = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=10)
    return jsonify(token=jwt.encode(claims, KEY, algorithm="HS256"))  # ok: token-expiry


@app.post("/enter-with-claims")
def enter_with_claims():
    claims = {"user": check(request.json).number}
    claims.update(claims_of(claims["user"]))
    return jsonify(token=jwt.encode(claims, KEY, algorithm="HS256"))  # ok: token-expiry


@app.post("/enter-made-elsewhere")
def enter_made_elsewhere():
    return jsonify(token=jwt.encode(claims_of(check(request.json)), KEY, algorithm="HS256"))  # ok: token-expiry


def partner_header(partner):
    return jwt.encode({"iss": partner.key, "aud": "reports"}, partner.secret, algorithm="HS256")  # ok: token-expiry


@app.post("/enter-by-extension")
def enter_by_extension():
    person = check(request.json)
    return jsonify(token=create_access_token(identity=person.number, expires_delta=False))  # expect: token-expiry


@app.post("/enter-by-default")
def enter_by_default():
    return jsonify(token=create_access_token(identity=check(request.json).number))  # ok: token-expiry
