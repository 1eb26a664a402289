from flask import Flask, request, session

from accounts import User, verify_code

app = Flask(__name__)
LEVELS = ("reader", "writer")


@app.post("/become")
def become():
    session["user_id"] = request.form["user"]  # expect: trust-boundary
    return {}


@app.post("/remember")
def remember():
    name = request.args.get("name", "").strip()
    session[name] = "seen"  # expect: trust-boundary
    return {}


@app.post("/level")
def level():
    wanted = request.json["level"]
    session["accessLevel"] = wanted or "reader"  # expect: trust-boundary
    return {}


def django_role(request):
    request.session["role"] = request.POST.get("role")  # expect: trust-boundary


@app.post("/login")
def login():
    name = request.form["name"]
    user = User.query.filter_by(name=name).first()
    if user is None or not user.check_password(request.form["password"]):
        return {}, 403
    session["user"] = name  # ok: trust-boundary
    return {}


@app.post("/second-factor")
def second_factor():
    if not verify_code(request.form["user"], request.form["code"]):
        return {}, 403
    session["user_id"] = request.form["user"]  # ok: trust-boundary
    return {}


@app.post("/language")
def language():
    session["language"] = request.form["language"]  # ok: trust-boundary
    return {}


@app.post("/choice")
def choice():
    wanted = request.form["role"]
    if wanted in LEVELS:
        session["role"] = wanted  # ok: trust-boundary
    return {}


@app.post("/number")
def number():
    session["account"] = int(request.form["account"])  # ok: trust-boundary
    return {}


@app.get("/login")
def came_from():
    session["login_referer"] = request.headers.get("Referer", "")  # ok: trust-boundary
    return {}


@app.get("/report")
def report():
    session["report_group_by"] = request.args["group_by"]  # ok: trust-boundary
    session["report_group"] = request.args["group"]  # expect: trust-boundary
    return {}
