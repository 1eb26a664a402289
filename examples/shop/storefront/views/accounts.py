"""Accounts: joining, signing in, profile, lost passwords."""

import logging
import re
from datetime import datetime, timedelta, timezone

from flask import Blueprint, abort, current_app, flash, make_response, redirect, render_template, request, session, url_for

from storefront import csrf, tokens
from storefront.guards import current_user, login_required
from storefront.passwords import customer_digest, matches, staff_digest
from storefront.ratelimit import limited
from storefront.services import mailer, remote
from storefront.store import users

blueprint = Blueprint("accounts", __name__)
log = logging.getLogger(__name__)

EMAIL = re.compile(r"^[^@\s]{1,64}@[^@\s]{1,190}$")
PROFILE_FIELDS = ("name", "phone", "address")


@blueprint.route("/join", methods=["GET", "POST"])
@limited("join", times=5, seconds=3600)
def join():
    if request.method == "GET":
        return render_template("join.html")
    email = request.form.get("email", "").strip().lower()
    password = request.form.get(current_app.config["PASSWORD_FIELD"], "")
    if not EMAIL.match(email) or len(password) < 4:
        flash("Please give a mail address and a password of at least 4 characters.")
        return render_template("join.html"), 400
    if users.by_email(email) is None:
        users.insert(email, request.form.get("name", "")[:80] or "Customer", customer_digest(password))
    flash("You can sign in now.")
    return redirect(url_for("accounts.login"))


@blueprint.route("/login", methods=["GET", "POST"])
def login():
    if request.method == "GET":
        return render_template("login.html", next=request.args.get("next", ""))
    email = request.form.get("email", "").strip().lower()
    user = users.by_email(email)
    if user is None:
        flash("There is no account with this mail address.")
        return render_template("login.html", next=""), 401
    if not matches(user, request.form.get("password", "")):
        log.warning("failed sign-in of " + request.form["email"])
        flash("The password is wrong.")
        return render_template("login.html", next=""), 401
    session["user_id"] = user.id
    response = make_response(redirect(request.form.get("next") or url_for("catalogue.index")))
    if request.form.get("remember"):
        days = current_app.config["REMEMBER_DAYS"]
        response.set_cookie("remember", tokens.remember_value(user), max_age=days * 86400)
    return response


@blueprint.post("/logout")
def logout():
    session.clear()
    session.rotate()
    response = make_response(redirect(url_for("catalogue.index")))
    response.delete_cookie("remember")
    return response


@blueprint.route("/profile", methods=["GET", "POST"])
@login_required
def profile():
    user = current_user()
    if request.method == "POST":
        for field in PROFILE_FIELDS:
            setattr(user, field, request.form.get(field, getattr(user, field))[:200])
        users.save(user)
        flash("Saved.")
    return render_template("profile.html", account=user)


@blueprint.post("/password")
@login_required
@limited("password", times=5, seconds=900)
def change_password():
    user = current_user()
    fresh = request.form.get("new_password", "")
    if not matches(user, request.form.get("password", "")) or len(fresh) < 10:
        abort(400)
    digest = customer_digest(fresh) if user.role == "customer" else staff_digest(fresh)
    users.set_password(user.id, digest)
    session.rotate()
    session["user_id"] = user.id
    return redirect(url_for("accounts.profile"))


@blueprint.post("/email")
@csrf.exempt
@login_required
def change_email():
    """Also called by the form in the newsletter's footer."""
    user = current_user()
    email = request.form.get("email", "").strip().lower()
    if not EMAIL.match(email) or users.by_email(email):
        abort(400)
    user.email = email
    users.save(user)
    return redirect(url_for("accounts.profile"))


@blueprint.post("/avatar")
@login_required
def avatar():
    user = current_user()
    name = remote.fetch_avatar(request.form.get("url", ""))
    if name is None:
        abort(400, "This is no picture.")
    user.avatar = name
    users.save(user)
    return redirect(url_for("accounts.profile"))


@blueprint.get("/close")
@login_required
def close():
    users.close_account(current_user().id)
    session.clear()
    flash("Your account is closed. Take care!")
    return redirect(url_for("catalogue.index"))


@blueprint.route("/reset", methods=["GET", "POST"])
@limited("reset", times=5, seconds=3600)
def reset_request():
    if request.method == "POST":
        user = users.by_email(request.form.get("email", "").strip().lower())
        if user:
            code = tokens.new_reset_code()
            expires = datetime.now(timezone.utc) + timedelta(minutes=30)
            users.add_reset(code, user.id, expires.isoformat())
            mailer.send_reset(user, code)
        flash("If we know this address, a mail is on its way.")
    return render_template("reset.html")


@blueprint.route("/reset/<code>", methods=["GET", "POST"])
@limited("reset-code", times=10, seconds=3600)
def reset_confirm(code):
    if request.method == "GET":
        return render_template("reset_confirm.html", code=code)
    password = request.form.get("password", "")
    if len(password) < 10:
        abort(400, "Please choose at least 10 characters.")
    user_id = users.take_reset(code, datetime.now(timezone.utc).isoformat())
    user = users.by_id(user_id) if user_id else None
    if user is None or user.role != "customer":
        abort(404)
    users.set_password(user.id, customer_digest(password))
    return redirect(url_for("accounts.login"))
