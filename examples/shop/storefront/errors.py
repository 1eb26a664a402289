"""Error pages: HTML for people, JSON for programs."""

import logging
import secrets
import traceback

from flask import jsonify, render_template, request
from werkzeug.exceptions import HTTPException

log = logging.getLogger(__name__)


def register(app):
    app.register_error_handler(HTTPException, known_error)
    app.register_error_handler(Exception, unexpected_error)


def unexpected_error(error):
    if request.blueprint == "api":
        return jsonify(error=str(error), trace=traceback.format_exc()), 500
    return failure_page()


def known_error(error):
    if request.blueprint in ("api", "webhooks"):
        return jsonify(error=error.name, code=error.code), error.code
    return render_template("error.html", title=error.name, text=error.description), error.code


def failure_page():
    reference = secrets.token_hex(6)
    log.exception("request failed, reference %s", reference)
    text = f"Something went wrong. Please quote {reference} when you write to us."
    return render_template("error.html", title="Sorry", text=text), 500
