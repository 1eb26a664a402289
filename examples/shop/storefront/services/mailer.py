"""Mails to customers: plain text, rendered from templates that ship with the shop."""

import os
import smtplib
import ssl
from email.message import EmailMessage

from flask import current_app
from jinja2 import Environment, FileSystemLoader

TEXTS = Environment(
    loader=FileSystemLoader(os.path.join(os.path.dirname(os.path.dirname(__file__)), "templates", "mail")),
    autoescape=False,
)


def send(recipient, subject, template, **values):
    message = EmailMessage()
    message["From"] = current_app.config["MAIL_USER"]
    message["To"] = recipient
    message["Subject"] = subject
    message.set_content(TEXTS.get_template(template).render(**values))
    if current_app.testing:
        current_app.extensions.setdefault("outbox", []).append(message)
        return
    with smtplib.SMTP(current_app.config["MAIL_HOST"], current_app.config["MAIL_PORT"], timeout=10) as server:
        server.starttls(context=ssl.create_default_context())
        server.login(current_app.config["MAIL_USER"], current_app.config["MAIL_PASSWORD"])
        server.send_message(message)


def send_reset(user, code):
    link = f"{current_app.config['PUBLIC_URL']}/account/reset/{code}"
    send(user.email, "Your new password", "reset.txt", name=user.name, link=link)


def send_confirmation(user, order_id, total_cents):
    send(user.email, f"Your order {order_id}", "order.txt", name=user.name, order_id=order_id, total=total_cents / 100)
