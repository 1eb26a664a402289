from html import escape

from django.http import HttpResponse
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from flask import Flask, request
from markupsafe import Markup

app = Flask(__name__)


def label(item):
    return mark_safe("<b>%s</b>" % item.title)  # expect: unescaped-markup


def attribute(value):
    return mark_safe(f'class="{value}"')  # expect: unescaped-markup


def named(row):
    address = row.address()
    return Markup('<a href="{address}">{row.name}</a>'.format(**locals()))  # expect: unescaped-markup


def several(names):
    return mark_safe("<br>".join("<i>%s</i>" % each.nick for each in names))  # expect: unescaped-markup


def problem(message, status):
    return """<html><body><h1>%d</h1><p>%s</p></body></html>""" % (status, message)  # expect: unescaped-markup


def listed(self):
    rows = []
    rows.append("<h1>Host: %s</h1>" % self.hostname)  # expect: unescaped-markup
    return rows


def from_environ(environ):
    text = "<pre>%s</pre>" % environ.get("PATH_INFO")  # expect: unescaped-markup
    return text


def escaped(item):
    return mark_safe("<b>%s</b>" % escape(item.title))  # ok: unescaped-markup


def formatted(item):
    return format_html("<b>{}</b>", item.title)  # ok: unescaped-markup


def filled(item):
    return Markup("<b>{}</b>").format(item.title)  # ok: unescaped-markup


def number(total: int):
    return mark_safe(f"<b>{total}</b>")  # ok: unescaped-markup


def cleaned(item):
    title = escape(item.title)
    return Markup("<b>{title}</b>".format(**locals()))  # ok: unescaped-markup


def markup(body_html):
    return mark_safe("<div>" + body_html + "</div>")  # ok: unescaped-markup


def text(name):
    return "Dear %s, 1 < 2" % name  # ok: unescaped-markup


@app.get("/hello")
def hello():
    name = request.args["name"]
    return "<p>%s</p>" % name  # ok: unescaped-markup


def answer(place):
    return HttpResponse('<a href="%s">here</a>' % place)  # expect: unescaped-markup


class Badges:
    def __init__(self, badges):
        self.badges = badges

    def render(self, value):
        badge = self.badges.get(value)
        return mark_safe(f"<b>{badge.label}</b>")  # ok: unescaped-markup

    def render_plain(self, value):
        return mark_safe(f"<b>{value}</b>")  # expect: unescaped-markup
