"""Who is calling, and may they: decorators for views."""

from functools import wraps

from flask import abort, g, redirect, request, session, url_for

from storefront import tokens
from storefront.store import users


def current_user():
    """The signed-in user, or None."""
    if "user" not in g:
        user_id = session.get("user_id")
        if user_id is None and "remember" in request.cookies:
            user_id = tokens.remembered_user_id(request.cookies["remember"])
        g.user = users.by_id(user_id) if user_id else None
    return g.user


def login_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if current_user() is None:
            return redirect(url_for("accounts.login"))
        return view(*args, **kwargs)

    return guarded


def admin_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        user = current_user()
        if user is None or user.role != "admin":
            abort(403)
        return view(*args, **kwargs)

    return guarded


def token_required(view):
    """For the API: a bearer token; reading also works with the shop's own session."""

    @wraps(view)
    def guarded(*args, **kwargs):
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        user_id = tokens.read(token) if scheme == "Bearer" else None
        g.caller = users.by_id(user_id) if user_id else None
        if g.caller is None and request.method == "GET":
            g.caller = current_user()
        if g.caller is None:
            abort(401)
        return view(*args, **kwargs)

    return guarded


def partner_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        claims = tokens.partner_claims(request.headers.get("X-Partner-Token", ""))
        if claims is None:
            abort(401)
        g.partner = claims["partner"]
        return view(*args, **kwargs)

    return guarded
