import os
import random

import requests
from flask import Flask, jsonify, request

app = Flask(__name__)


class User:
    def as_row(self):
        return {"name": self.name, "password": self.password}  # expect: exposed-field

    def public(self):
        return {"name": self.name, "email": self.email}  # ok: exposed-field


def every():
    return [User()]


@app.route("/users")
def users():
    return jsonify([{"name": each.name, "password": each.password} for each in every()])  # expect: exposed-field


@app.route("/rows")
def rows():
    return jsonify([User.as_row(each) for each in every()])


@app.route("/names")
def names():
    return jsonify([User.public(each) for each in every()])


@app.route("/card/<int:number>")
def card(number):
    found = every()[number]
    answer = {"holder": found.name, "card_number": found.card_number}  # expect: exposed-field
    return jsonify(answer)


@app.route("/upstream")
def upstream():
    account = every()[0]
    requests.post("https://api.example", json={"user": account.name, "password": account.password}, timeout=5)  # ok: exposed-field
    return jsonify({"password_changed": account.password_changed})  # ok: exposed-field


@app.route("/echo", methods=["POST"])
def echo():
    data = request.get_json()
    return jsonify({"password": data["password"]})  # ok: exposed-field


@app.route("/everybody")
def everybody():
    found = []
    for user_data in User.objects.all():
        found.append({"name": user_data.name, "ssn": user_data.ssn})  # expect: exposed-field
    return jsonify({"users": found})


@app.route("/posted", methods=["POST"])
def posted():
    form_data = request.get_json()
    return jsonify({"ssn": form_data["ssn"]})  # ok: exposed-field


class Settings:
    PAYMENT_API_KEY = "read at the start"
    PAGE_SIZE = 20


@app.route("/state")
def state():
    environment = dict(os.environ)  # expect: exposed-field
    report = {"page": Settings.PAGE_SIZE, "home": os.environ.get("HOME"), "all": environment}
    return report


@app.route("/page")
def page():
    entries = []
    for each in every():
        entries.append({"name": each.name, "hash": each.hash})
    listed = "".join([f"<li>{each['name']}: {each['password']}</li>" for each in entries])  # expect: exposed-field
    return f"<ul>{listed}</ul>"


@app.route("/key")
def key():
    return f"<p>{Settings.PAYMENT_API_KEY}</p>"  # expect: exposed-field


@app.route("/known")
def known():
    return jsonify({"known": Settings.PAYMENT_API_KEY == request.args["key"], "size": Settings.PAGE_SIZE})  # ok: exposed-field


@app.route("/forgotten", methods=["POST"])
def forgotten():
    reset_pin = str(random.randint(100000, 999999))
    send(request.form["name"], reset_pin)
    return jsonify({"sent": True, "pin": reset_pin})  # expect: exposed-field


@app.route("/signed")
def signed():
    return jsonify({"token": jwt.encode({"sub": 1}, Settings.PAYMENT_API_KEY, algorithm="HS256")})  # ok: exposed-field
