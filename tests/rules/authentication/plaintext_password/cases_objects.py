from flask import request
from flask_sqlalchemy import SQLAlchemy
from werkzeug.security import generate_password_hash

db = SQLAlchemy()


class User(db.Model):
    name = db.Column(db.String(80))
    password = db.Column(db.String(80))


class Member(db.Model):
    name = db.Column(db.String(80))
    password = db.Column(db.String(80))

    def set_password(self, password):
        self.password = generate_password_hash(password)


class Client:
    def __init__(self, name, password):
        self.name = name
        self.password = password  # ok: plaintext-password


def register():
    user = User(name=request.form["name"], password=request.form["password"])  # expect: plaintext-password
    db.session.add(user)


def seed():
    user = User()
    user.password = "letmein"  # ok: plaintext-password
    db.session.add(user)


def join():
    member = Member(name=request.form["name"])
    member.set_password(request.form["password"])  # ok: plaintext-password
    db.session.add(member)


def hashed():
    db.session.add(User(name="x", password=generate_password_hash(request.form["password"])))  # ok: plaintext-password
