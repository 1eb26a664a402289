from flask import request
from flask_sqlalchemy import SQLAlchemy
from werkzeug.security import generate_password_hash

db = SQLAlchemy()


class Reader(db.Model):
    name = db.Column(db.String(80))
    password = db.Column(db.String(80))

    def choose(self, word):
        self.password = generate_password_hash(word)


class Writer(db.Model):
    name = db.Column(db.String(80))
    password = db.Column(db.String(80))

    def save(self):
        self.password = generate_password_hash(self.password)
        db.session.add(self)


def renew():
    reader = Reader.query.filter_by(name=request.json["name"]).first_or_404()
    reader.password = request.json["password"]  # expect: plaintext-password
    db.session.commit()


def renew_well():
    reader = Reader.query.filter_by(name=request.json["name"]).first_or_404()
    reader.choose(request.json["password"])
    db.session.commit()


def renew_by_saving():
    writer = db.session.query(Writer).filter(Writer.name == request.json["name"]).first()
    writer.password = request.json["password"]  # ok: plaintext-password
    writer.save()
