"""The shop's web application: configuration, parts and blueprints are put together here."""

import os

from flask import Flask

from storefront import csrf, database, errors, guards
from storefront.config import selected
from storefront.sessions import DatabaseSessions
from storefront.views import (
    accounts,
    admin,
    api,
    backoffice,
    cart,
    catalogue,
    checkout,
    support,
    warehouse,
    webhooks,
)


def create_app(overrides=None):
    app = Flask(__name__)
    app.config.from_object(selected())
    app.config.update(overrides or {})
    for name in ("UPLOAD_DIR", "INVOICE_DIR", "ATTACHMENT_DIR", "REPORT_DIR", "THEME_DIR"):
        os.makedirs(app.config[name], exist_ok=True)
    app.session_interface = DatabaseSessions()
    app.teardown_appcontext(database.close)
    app.before_request(csrf.check)
    app.after_request(add_headers)
    app.context_processor(shared_values)
    errors.register(app)
    app.register_blueprint(catalogue.blueprint)
    app.register_blueprint(cart.blueprint, url_prefix="/cart")
    app.register_blueprint(checkout.blueprint, url_prefix="/checkout")
    app.register_blueprint(accounts.blueprint, url_prefix="/account")
    app.register_blueprint(support.blueprint, url_prefix="/support")
    app.register_blueprint(admin.blueprint, url_prefix="/admin")
    app.register_blueprint(backoffice.blueprint, url_prefix="/admin/tools")
    app.register_blueprint(warehouse.blueprint, url_prefix="/warehouse")
    app.register_blueprint(api.blueprint, url_prefix="/api")
    app.register_blueprint(webhooks.blueprint, url_prefix="/hooks")
    return app


def add_headers(response):
    response.headers.setdefault("X-Frame-Options", "DENY")
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "strict-origin-when-cross-origin")
    response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    return response


def shared_values():
    return {"user": guards.current_user(), "csrf_token": csrf.token}
