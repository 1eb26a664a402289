import hmac

import tornado.web
from django.db import connection
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from flask import Flask

app = Flask(__name__)
app.config["WTF_CSRF_ENABLED"] = False  # expect: csrf
app.config["WTF_CSRF_ENABLED"] = True  # ok: csrf


@csrf_exempt  # expect: csrf
def transfer(request):
    return request.POST["amount"]


@csrf_exempt  # ok: csrf
def welcome(request):
    return render(request, "welcome.html")


@csrf_exempt  # ok: csrf
def shown(request, number):
    cursor = connection.cursor()
    cursor.execute(f"SELECT * FROM pages WHERE id = {number}")
    return render(request, "page.html", {"page": cursor.fetchone()})


@csrf_exempt  # ok: csrf
def webhook(request, key, body):
    if not hmac.compare_digest(request.signature, key):
        raise PermissionError
    return body


class Pages(tornado.web.RequestHandler):
    def post(self):
        self.write("saved")


site = tornado.web.Application([(r"/", Pages)])  # expect: csrf


def with_key(view):
    def guarded(request, *arguments):
        if request.headers["X-Api-Key"] != settings.KEY:
            return HttpResponse(status=401)
        return view(request, *arguments)

    return guarded


@csrf_exempt  # ok: csrf
@with_key
def create_by_program(request):
    return HttpResponse("created")
