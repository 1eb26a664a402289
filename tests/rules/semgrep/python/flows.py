import html
import os
import sqlite3

import flask
import httpx
import jinja2
import requests
from flask import Flask, make_response, redirect, render_template_string, request, send_file, url_for
from markupsafe import Markup, escape
from werkzeug.utils import secure_filename

app = Flask(__name__)
database = sqlite3.connect("shop.db")
cursor = database.cursor()


@app.route("/orders")
def orders():
    status = request.args.get("status")
    cursor.execute("SELECT * FROM orders WHERE status = '" + status + "'")  # expect: python-sql-injection
    query = f"SELECT * FROM orders WHERE status = '{status}'"
    cursor.execute(query)  # expect: python-sql-injection
    cursor.execute("SELECT * FROM orders WHERE status = ?", (status,))  # ok: python-sql-injection
    cursor.execute("SELECT 1 " + "FROM orders")  # ok: python-sql-injection
    cursor.execute(request.form["report"])  # expect: python-sql-injection


def find_customer(name):
    cursor.execute("SELECT * FROM customers WHERE name = '%s'" % name)  # expect: python-sql-injection
    cursor.execute(f"DELETE FROM basket WHERE owner = '{name}'")  # expect: python-sql-injection
    cursor.execute("SELECT * FROM customers WHERE name = %s", (name,))  # ok: python-sql-injection


@app.route("/card/<name>")
def card(name):
    render_template_string("<b>" + name + "</b>")  # expect: python-template-injection
    jinja2.Template(request.values["layout"]).render()  # expect: python-template-injection
    return render_template_string("<b>{{ name }}</b>", name=name)  # ok: python-template-injection


@app.route("/hello")
def hello():
    who = request.args["who"]
    page = make_response("<p>" + who + "</p>")  # expect: python-cross-site-scripting
    Markup(who)  # expect: python-cross-site-scripting
    Markup(escape(who))  # ok: python-cross-site-scripting
    flask.make_response(html.escape(who))  # ok: python-cross-site-scripting
    if page:
        return {"who": who}  # ok: python-cross-site-scripting
    return f"<h1>{who}</h1>"  # expect: python-cross-site-scripting


@app.route("/download")
def download():
    name = request.args["file"]
    open(os.path.join("files", name))  # expect: python-path-traversal
    open(os.path.join("files", secure_filename(name)))  # ok: python-path-traversal
    return send_file("files/" + name)  # expect: python-path-traversal


@app.route("/preview")
def preview():
    address = request.args["url"]
    requests.get(address, timeout=5)  # expect: python-ssrf
    httpx.post("https://" + address + "/hook")  # expect: python-ssrf
    requests.get("https://api.example.com/", params={"q": "fixed"}, timeout=5)  # ok: python-ssrf
    flask.redirect(url_for("hello", who=address))  # ok: python-open-redirect
    return redirect(address)  # expect: python-open-redirect
