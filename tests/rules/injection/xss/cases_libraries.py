from django.http.response import HttpResponse, HttpResponseGone
from django.utils.html import format_html
from flask import Flask, request
from flask.wrappers import Response

app = Flask(__name__)


def greet(request):
    return HttpResponse("<p>" + request.GET["name"])  # expect: xss


def gone(request):
    return HttpResponseGone("<p>" + request.GET["name"])  # expect: xss


def formatted(request):
    return HttpResponse(format_html("<p>{}</p>", request.GET["name"]))  # ok: xss


def formats(request):
    return HttpResponse(format_html("<p>" + request.GET["name"] + "</p>"))  # expect: xss


@app.route("/raw")
def raw():
    return Response("<b>" + request.args["name"])  # expect: xss
