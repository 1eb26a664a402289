"""One token per session, expected with every form that is posted."""

import hmac
import secrets

from flask import abort, current_app, request, session

CHANGING_METHODS = ("POST", "PUT", "PATCH", "DELETE")
HEADER_AUTHENTICATED = ("api",)


def token():
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return session["csrf"]


def exempt(view):
    """Let a view be called without the form token."""
    view.csrf_exempt = True
    return view


def check():
    if request.method not in CHANGING_METHODS or request.blueprint in HEADER_AUTHENTICATED:
        return
    view = current_app.view_functions.get(request.endpoint)
    if view is None or getattr(view, "csrf_exempt", False):
        return
    sent = request.form.get("csrf") or request.headers.get("X-Csrf-Token", "")
    if not hmac.compare_digest(sent.encode(), session.get("csrf", "").encode()) or not sent:
        abort(400, "The form has expired, please load the page again.")
