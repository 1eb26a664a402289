import sqlite3

from flask import Flask, render_template
from flask_wtf import FlaskForm
from wtforms import Form, IntegerField, SelectField, StringField

app = Flask(__name__)


class Lookup(FlaskForm):
    city = StringField("City")
    page = IntegerField("Page")
    order = SelectField("Order", choices=["name", "age"])


class Filter(Form):
    street = StringField("Street")


def rows(statement):
    return sqlite3.connect("places.db").execute(statement).fetchall()  # ok: sql-injection


@app.route("/places", methods=["GET", "POST"])
def places():
    form = Lookup()
    if not form.validate_on_submit():
        return render_template("places.html", form=form)
    found = rows(f"SELECT * FROM place WHERE city = '{form.city.data}'")  # expect: sql-injection
    more = rows(f"SELECT * FROM place LIMIT {form.page.data}")  # ok: sql-injection
    more += rows(f"SELECT * FROM place ORDER BY {form.order.data}")  # ok: sql-injection
    return render_template("places.html", form=form, found=found, more=more)


@app.route("/streets", methods=["POST"])
def streets():
    chosen = Filter().data["street"]
    return {"found": rows("SELECT * FROM street WHERE name = '" + chosen + "'")}  # expect: sql-injection
