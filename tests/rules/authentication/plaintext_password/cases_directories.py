from flask_sqlalchemy import SQLAlchemy

db = SQLAlchemy()
RAN = "INSERT INTO runs (cmd, pwd, exit_code) VALUES (%s, %s, %s)"
JOINED = "INSERT INTO members (login, pwd) VALUES (%s, %s)"


class Run(db.Model):
    cmd = db.Column(db.String(80))
    pwd = db.Column(db.String(80))


def keep(cursor, cmd, pwd, code):
    cursor.execute(RAN, (cmd, pwd, code))  # ok: plaintext-password
    db.session.add(Run(cmd=cmd, pwd=pwd))  # ok: plaintext-password


def join(cursor, login, pwd):
    cursor.execute(JOINED, (login, pwd))  # expect: plaintext-password
