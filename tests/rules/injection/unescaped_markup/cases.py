import json

import bleach
import markdown
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


def rules_of(mapping):
    rules = json.dumps(mapping.rules, indent=4)
    return mark_safe(rules)  # expect: unescaped-markup


def escaped_json(data):
    return mark_safe(json.dumps(data).replace("<", "\\u003c"))  # ok: unescaped-markup


def own_encoder(data):
    return mark_safe(json.dumps(data, cls=PageEncoder))  # ok: unescaped-markup


def crumbs(page):
    parts = []
    for each in page.above():
        parts.append(each.get_display_title())
    return mark_safe("<b></b>".join(parts))  # expect: unescaped-markup


def escaped_crumbs(page):
    parts = []
    for each in page.above():
        parts.append(escape(each.get_display_title()))
    return mark_safe("<b></b>".join(parts))  # ok: unescaped-markup


def escaped_in_time(place):
    place = escape(place)
    return mark_safe("<b>%s</b>" % place)  # ok: unescaped-markup


def escaped_too_late(place):
    text = mark_safe("<b>%s</b>" % place)  # expect: unescaped-markup
    place = escape(place)
    return text, place


def shown(widget):
    try:
        return widget.draw()
    except ValueError as error:
        return mark_safe(f"<p>It went wrong: {error}</p>")  # expect: unescaped-markup


def shown_escaped(widget):
    try:
        return widget.draw()
    except ValueError as error:
        return mark_safe(f"<p>It went wrong: {escape(error)}</p>")  # ok: unescaped-markup


def linked(link, context):
    rendered = link.render(context)
    return mark_safe(f'<a href="{rendered["link"]}">{rendered["text"]}</a>')  # ok: unescaped-markup


def rendered(text):
    return mark_safe(markdown.markdown(text, extensions=["nl2br"]))  # expect: unescaped-markup


def cleaned_markdown(text):
    made = markdown.markdown(text)
    return mark_safe(bleach.clean(made))  # ok: unescaped-markup


def conflict(page, address):
    link = '<a href="%(address)s">%(page_title)s</a>' % {"address": address, "page_title": str(page)}  # expect: unescaped-markup
    return mark_safe(link)


def conflict_escaped(page, address):
    link = '<a href="%(address)s">%(page_title)s</a>' % dict(address=escape(address), page_title=escape(str(page)))  # ok: unescaped-markup
    return mark_safe(link)


def filled_by_name(environ):
    name = environ.get("pagename")
    return '<input name="pagename" value="%(name)s">' % locals()  # expect: unescaped-markup


class Badges:
    def __init__(self, badges):
        self.badges = badges

    def render(self, value):
        badge = self.badges.get(value)
        return mark_safe(f"<b>{badge.label}</b>")  # ok: unescaped-markup

    def render_plain(self, value):
        return mark_safe(f"<b>{value}</b>")  # expect: unescaped-markup


class TagWidget:
    def render(self, name, value, attrs=None, renderer=None):
        return mark_safe(f'<input name="{name}" data-empty>')  # ok: unescaped-markup

    def render_value(self, name, value):
        return mark_safe(f'<input name="{name}" data-empty>')  # expect: unescaped-markup
