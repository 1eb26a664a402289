from urllib.parse import urlencode, urlparse, urlsplit, urlunsplit

import outside
from django.http import HttpResponseRedirect
from django.shortcuts import redirect as django_redirect
from django.utils.http import url_has_allowed_host_and_scheme
from flask import Flask, redirect, request, url_for

app = Flask(__name__)
TARGETS = ("/home", "/profile")


def is_own(target):
    return urlparse(target).netloc == "shop.example"


@app.route("/next")
def follow():
    return redirect(request.args.get("next", "/"))  # expect: open-redirect


@app.route("/or")
def with_default():
    target = request.form["next"] or url_for("home")
    return redirect(target)  # expect: open-redirect


@app.route("/slash")
def slash():
    target = request.args["next"]
    if not target.startswith("/"):
        target = "/"
    return redirect(target)  # expect: open-redirect


def login(request):
    return HttpResponseRedirect(request.GET["next"])  # expect: open-redirect


@app.route("/named")
def named():
    return redirect(url_for("profile", user=request.args["user"]))  # ok: open-redirect


@app.route("/profile/<name>")
def own_path(name):
    return redirect("/profile/{}".format(name))  # ok: open-redirect


@app.route("/short/<name>")
def short(name):
    return redirect("/" + name)  # expect: open-redirect


@app.route("/listed")
def listed():
    target = request.args["next"]
    return redirect(target if target in TARGETS else "/home")  # ok: open-redirect


def checked(request):
    target = request.GET["next"]
    if url_has_allowed_host_and_scheme(target, allowed_hosts={"shop.example"}):
        return django_redirect(target)  # ok: open-redirect
    return django_redirect("/")


@app.route("/host")
def host():
    target = request.args["next"]
    if not is_own(target):
        return "no", 400
    return redirect(target)  # ok: open-redirect


@app.route("/without-host")
def without_host():
    parts = list(urlsplit(request.args["next"]))
    parts[0] = ""
    parts[1] = ""
    return redirect(urlunsplit(parts))  # ok: open-redirect


@app.route("/replaced-host")
def replaced_host():
    return redirect(urlsplit(request.args["next"])._replace(scheme="", netloc="").geturl())  # ok: open-redirect


@app.route("/without-query")
def without_query():
    return redirect(urlsplit(request.args["next"])._replace(query="").geturl())  # expect: open-redirect


@app.route("/one-slash")
def one_slash():
    target = request.args["next"]
    if target and target.startswith("/") and not target.startswith("//"):
        return redirect(target)  # ok: open-redirect
    return redirect("/home")


@app.route("/any-slash")
def any_slash():
    target = request.args["next"]
    if target and target.startswith("/"):
        return redirect(target)  # expect: open-redirect
    return redirect("/home")


@app.route("/not-two")
def not_two():
    target = request.args["next"]
    if target.startswith("//"):
        return redirect("/home")
    return redirect(target)  # expect: open-redirect


@app.route("/rooted")
def rooted():
    target = request.args.get("next", "")
    if not target.startswith("/") or target.startswith("//"):
        target = "/"
    return redirect(target)  # ok: open-redirect


@app.route("/slash-only")
def slash_only():
    target = request.args.get("next", "")
    if not target.startswith("/"):
        target = "/"
    return redirect(target)  # expect: open-redirect


@app.route("/onwards")
def onwards():
    return redirect(f"../people/{request.args['name']}/")  # ok: open-redirect


@app.route("/beside")
def beside():
    return redirect("people/" + request.args["name"])  # ok: open-redirect


@app.route("/outwards")
def outwards():
    return redirect("https:/" + request.args["name"])  # expect: open-redirect


@app.route("/again")
def again():
    login = outside.address()
    question = f"{login}?{urlencode({'next': request.args['next']})}"
    if "far" in request.args:
        return redirect(outside.host() + question)  # ok: open-redirect
    return redirect(question)  # ok: open-redirect


@app.route("/behind")
def behind():
    return redirect(outside.address() + "#" + request.args["place"])  # ok: open-redirect


@app.route("/glued")
def glued():
    return redirect(outside.address() + request.args["place"])  # expect: open-redirect


@app.route("/own-part")
def own_part():
    return redirect(f"/{outside.folder()}/{request.args['place']}")  # ok: open-redirect


@app.route("/own-host")
def own_host():
    return redirect(f"https://{outside.host()}/{request.args['place']}")  # ok: open-redirect


@app.route("/own-host-left-open")
def own_host_left_open():
    return redirect(f"https://{outside.host()}{request.args['place']}")  # expect: open-redirect


@app.route("/own-part-left-open")
def own_part_left_open():
    return redirect(f"/{outside.folder()}{request.args['place']}")  # expect: open-redirect


def listed(target, allowed):
    parts = urlparse(target)
    if parts.hostname in allowed:
        return target
    if parts.path and parts.path[0] == "/" and not parts.path.startswith("//"):
        return f"{parts.path}?{parts.query}" if parts.query else parts.path
    return None


@app.route("/listed")
def by_list():
    return redirect(listed(request.args["next"], TARGETS))  # ok: open-redirect


def rooted(target):
    return target if target[0] == "/" else "/"


@app.route("/rooted")
def by_first_sign():
    return redirect(rooted(request.args["next"]))  # expect: open-redirect
