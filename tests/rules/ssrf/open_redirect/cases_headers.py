from urllib.parse import quote

from django.http import HttpResponse
from flask import Flask, Response, make_response, request
from starlette.responses import Response as Answer

app = Flask(__name__)


@app.route("/go")
def go():
    answer = make_response("", 302)
    answer.headers["Location"] = request.args["next"]  # expect: open-redirect
    return answer


@app.route("/go-on")
def go_on():
    return Response("", 302, headers={"Location": request.args["next"]})  # expect: open-redirect


@app.route("/home")
def home():
    answer = Response("", 302)
    answer.headers["location"] = "/home?from=" + quote(request.args["from"])  # ok: open-redirect
    answer.headers["X-Asked-For"] = request.args["next"]  # ok: open-redirect
    return answer


def leave(request):
    answer = HttpResponse(status=302)
    answer["Location"] = request.GET["next"]  # expect: open-redirect
    return answer


async def leave_later(request):
    return Answer(status_code=302, headers={"location": request.query_params["next"]})  # expect: open-redirect


async def stay(request):
    return Answer(status_code=302, headers={"location": "/start"})  # ok: open-redirect


@app.route("/sent", methods=["POST"])
def sent():
    answer = Response("", 302)
    answer.headers["Location"] = request.headers["Origin"]  # ok: open-redirect
    return answer


@app.route("/sent-on", methods=["POST"])
def sent_on():
    answer = Response("", 302)
    answer.headers["Location"] = request.headers["X-Next"]  # expect: open-redirect
    return answer
