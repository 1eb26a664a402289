from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from wtforms import Form, TextAreaField

app = Flask(__name__)
db = SQLAlchemy(app)


class Entry(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    words = db.Column(db.Text)


class EntryForm(Form):
    words = TextAreaField("Words")


def newest():
    return db.session.query(Entry).order_by(Entry.id.desc())


@app.post("/entries")
def write():
    db.session.add(Entry(words=EntryForm().words.data))
    db.session.commit()
    return {}


@app.get("/entries")
def entries():
    return newest().all()  # ok: xss


@app.get("/entries/first")
def first():
    return newest().first().words  # expect: xss


@app.get("/entries/text")
def text():
    return f"<p>{newest().first()}</p>"  # expect: xss
