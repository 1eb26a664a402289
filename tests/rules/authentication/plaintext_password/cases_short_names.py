from flask_sqlalchemy import SQLAlchemy

db = SQLAlchemy()


class Member(db.Model):
    login = db.Column(db.String(80))
    pwd = db.Column(db.String(80))


def join(login, pwd):
    db.session.add(Member(login=login, pwd=pwd))  # expect: plaintext-password
