from flask_sqlalchemy import SQLAlchemy

db = SQLAlchemy()


class User(db.Model):
    name = db.Column(db.String(80))
    password = db.Column(db.String(80))


def renewed(existing_user):
    user = User(name=existing_user.name)
    user.password = existing_user.password  # ok: plaintext-password
    db.session.add(user)
