from django.http.response import HttpResponseRedirect
from flask import Flask, request
from flask.helpers import redirect, url_for
from pyramid.httpexceptions import HTTPMovedPermanently
from pyramid.view import view_config

app = Flask(__name__)


@app.route("/next")
def follow():
    return redirect(request.args["next"])  # expect: open-redirect


@app.route("/page")
def page():
    return redirect(url_for("show", name=request.args["name"]))  # ok: open-redirect


@view_config(route_name="moved")
def moved(request):
    return HTTPMovedPermanently(request.params["to"])  # expect: open-redirect


def leave(request):
    return HttpResponseRedirect(request.GET["to"])  # expect: open-redirect


@view_config(route_name="renamed")
def renamed(request):
    return HTTPMovedPermanently(request.route_path("page", name=request.params["name"]))  # ok: open-redirect
