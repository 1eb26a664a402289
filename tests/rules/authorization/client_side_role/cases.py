from flask import Flask, abort, redirect, render_template, request, session

app = Flask(__name__)


@app.route("/admin")
def admin():
    if request.cookies.get("admin") != "1":  # expect: client-side-role
        abort(403)
    return render_template("admin.html")


@app.route("/panel")
def panel():
    role = request.args.get("role", "user")
    if role == "admin":  # expect: client-side-role
        return render_template("admin.html")
    return render_template("panel.html")


@app.route("/internal")
def internal():
    if not request.headers.get("X-Authenticated"):  # expect: client-side-role
        abort(401)
    return render_template("internal.html")


@app.route("/signed")
def signed():
    if session.get("role") != "admin":  # ok: client-side-role
        abort(403)
    return render_template("admin.html")


@app.route("/tab")
def tab():
    if request.args.get("tab") == "prices":  # ok: client-side-role
        return render_template("prices.html")
    return render_template("panel.html")


@app.route("/overview")
def overview():
    if is_admin() and request.args.get("view") == "admin":  # ok: client-side-role
        return render_template("admin.html")
    return render_template("panel.html")


@app.route("/mixed")
def mixed():
    if request.args.get("page") and request.args.get("role") == "admin":  # expect: client-side-role
        return render_template("admin.html")
    return render_template("panel.html")


def is_admin():
    return session.get("role") == "admin"


@app.route("/secret")
def secret():
    if "user" not in session:
        return redirect("/login")
    if request.cookies.get("admin") == "1":  # expect: client-side-role
        return render_template("admin.html")
    return render_template("panel.html")


@app.route("/parts")
def parts():
    if request.cookies["who"].split("|")[0] == "admin":  # expect: client-side-role
        return render_template("admin.html")
    return render_template("panel.html")
