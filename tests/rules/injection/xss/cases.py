import html
import json

import nh3
from django.http import HttpResponse
from django.utils.safestring import mark_safe
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from flask import Flask, Response, jsonify, make_response, render_template, request
from markupsafe import Markup, escape

CLEANER = nh3.Cleaner(tags={"b"})
app = Flask(__name__)
api = FastAPI()


def page(body):
    return "<html><body>" + body + "</body></html>"


@app.route("/hello")
def hello():
    return "<h1>Hello " + request.args.get("name", "") + "</h1>"  # expect: xss


@app.route("/tuple")
def with_status():
    return f"<p>{request.form['text']}</p>", 404  # expect: xss


@app.route("/built")
def built():
    return page(request.args["body"])  # expect: xss


@app.route("/response")
def response():
    return make_response("<p>%s</p>" % request.cookies.get("theme"))  # expect: xss


def django_view(request):
    return HttpResponse("<p>" + request.GET["q"] + "</p>")  # expect: xss


def django_template_value(request):
    return render_template("x.html", text=mark_safe(request.POST["text"]))  # expect: xss


@api.get("/welcome", response_class=HTMLResponse)
def welcome(name: str):
    return f"<h1>{name}</h1>"  # expect: xss


@app.route("/escaped")
def escaped():
    return "<h1>Hello " + html.escape(request.args["name"]) + "</h1>"  # ok: xss


@app.route("/markup")
def markup():
    return f"<p>{escape(request.form['text'])}</p>"  # ok: xss


@app.route("/template")
def template():
    return render_template("hello.html", name=request.args["name"])  # ok: xss


@app.route("/json")
def as_json():
    return jsonify({"name": request.args["name"]})  # ok: xss


@app.route("/mapping")
def mapping():
    return {"name": request.args["name"]}  # ok: xss


@app.route("/plain")
def plain():
    return Response(request.args["name"], mimetype="text/plain")  # ok: xss


def django_json(request):
    return HttpResponse(json.dumps({"q": request.GET["q"]}), content_type="application/json")  # ok: xss


@app.route("/flag")
def flag():
    colour = "red" if request.args.get("warn") == "yes" else "green"
    return "<p class=" + colour + ">"  # ok: xss


@app.route("/fixed")
def fixed():
    return "You are at " + request.path  # ok: xss


@api.get("/items/{name}")
def item(name: str):
    return f"item {name}"  # ok: xss


@app.route("/typed")
def typed():
    answer = make_response(request.args["name"])  # ok: xss
    answer.mimetype = "text/plain"
    return answer


@app.route("/cleaned")
def cleaned():
    return make_response(CLEANER.clean(request.args["text"]))  # ok: xss


@app.route("/filled")
def filled():
    return Markup("<b>{}</b>").format(request.args["name"]) + Markup("<i>%s</i>") % request.args["town"]  # ok: xss


@app.route("/trusted")
def trusted():
    return Markup("<b>{}</b>".format(request.args["name"]))  # expect: xss


@app.errorhandler(500)
def broken(error):
    return f"<p>{error}</p>", 500  # ok: xss


@app.errorhandler(404)
def missing(error):
    return f"<p>{request.path}</p>", 404  # expect: xss
