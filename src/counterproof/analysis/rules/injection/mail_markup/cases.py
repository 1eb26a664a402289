import html
from email.message import EmailMessage
from email.mime.text import MIMEText

from django.core.mail import EmailMultiAlternatives, send_mail
from flask import Flask, render_template, request
from flask_mail import Message

app = Flask(__name__)


@app.post("/invite")
def invite():
    note = request.form["note"]
    send_mail("Hello", note, None, ["a@example.org"], html_message=f"<p>{note}</p>")  # expect: mail-markup
    send_mail("Hello", note, None, ["a@example.org"])  # ok: mail-markup
    return "sent"


@app.post("/share")
def share():
    name = request.form["name"]
    Message("Shared", html="<b>" + name + "</b>")  # expect: mail-markup
    Message("Shared", html=render_template("shared.html", name=name))  # ok: mail-markup
    return "sent"


@app.post("/report")
def report():
    text = request.form["text"]
    part = MIMEText(text, "html")  # expect: mail-markup
    other = MIMEText(text, "plain")  # ok: mail-markup
    safe = MIMEText(html.escape(text), "html")  # ok: mail-markup
    return part, other, safe


@app.post("/both")
def both():
    mail = EmailMultiAlternatives("Hello", request.form["text"])
    mail.attach_alternative(request.form["text"], "text/html")  # expect: mail-markup
    modern = EmailMessage()
    modern.set_content(request.form["text"])  # ok: mail-markup
    modern.add_alternative(request.form["text"], subtype="html")  # expect: mail-markup
    return "sent"
