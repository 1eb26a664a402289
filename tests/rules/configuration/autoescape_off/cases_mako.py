import tornado.web
from mako.lookup import TemplateLookup


class Pages(tornado.web.RequestHandler):
    bare = TemplateLookup(["pages"], input_encoding="utf-8")  # expect: autoescape-off
    filtered = TemplateLookup(["pages"], default_filters=["str", "h"])  # ok: autoescape-off
    stripped = TemplateLookup(["pages"], default_filters=["str", "trim"])  # expect: autoescape-off
