from html import escape

from .wrappers import BaseResponse, encoded


def redirect(location, code=302):
    shown = location
    location = encoded(location)
    return BaseResponse('<p>Go to <a href="#">%s</a>.' % shown, code, mimetype="text/html")  # expect: unescaped-markup


def escaped(location, code=302):
    shown = escape(location)
    return BaseResponse('<p>Go to <a href="#">%s</a>.' % shown, code, mimetype="text/html")  # ok: unescaped-markup


def plain(location, code=302):
    return BaseResponse("<p>%s</p>" % location, code, mimetype="text/plain")  # ok: unescaped-markup
