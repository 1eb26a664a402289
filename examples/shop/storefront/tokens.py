"""Tokens: for the API, for partners, for password resets and for links in mails."""

import random
import secrets
import string
from datetime import datetime, timedelta, timezone

import jwt
from flask import current_app
from itsdangerous import BadSignature, URLSafeTimedSerializer

ALGORITHM = "HS256"


def issue(user):
    """A token for the API, good for an hour."""
    expires = datetime.now(timezone.utc) + timedelta(hours=1)
    claims = {"sub": str(user.id), "exp": expires, "aud": "shop-api"}
    return jwt.encode(claims, current_app.config["SECRET_KEY"], algorithm=ALGORITHM)


def read(token):
    """The user id of an API token, or None."""
    try:
        claims = jwt.decode(token, current_app.config["SECRET_KEY"], algorithms=[ALGORITHM], audience="shop-api")
    except jwt.InvalidTokenError:
        return None
    return int(claims["sub"])


def new_reset_code():
    alphabet = string.ascii_letters + string.digits
    return "".join(random.choice(alphabet) for _ in range(20))


def partner_claims(token):
    """What a partner's token says; partners sign with keys of their own."""
    try:
        claims = jwt.decode(token, options={"verify_signature": False})
    except jwt.InvalidTokenError:
        return None
    return claims if claims.get("partner") else None


def new_attachment_name(extension):
    return secrets.token_hex(16) + extension


def remember_value(user):
    return _serializer("remember").dumps(user.id)


def remembered_user_id(value):
    try:
        return _serializer("remember").loads(value, max_age=86400 * current_app.config["REMEMBER_DAYS"])
    except BadSignature:
        return None


def _serializer(purpose):
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt=purpose)
