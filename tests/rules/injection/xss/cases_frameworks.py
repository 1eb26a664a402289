import html
import json
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlparse

import cherrypy
import falcon
import tornado.web
from flask_restful import Api, Resource
from pyramid.response import Response
from pyramid.view import view_config


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        name = parse_qs(urlparse(self.path).query)["name"][0]
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<b>{name}</b>".encode())  # expect: xss

    def do_PUT(self):
        name = parse_qs(urlparse(self.path).query)["name"][0]
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"name": name}).encode())  # ok: xss

    def do_POST(self):
        name = parse_qs(urlparse(self.path).query)["name"][0]
        self.wfile.write(html.escape(name).encode())  # ok: xss


class Pages:
    @cherrypy.expose
    def hello(self, name="you"):
        return "<b>" + name + "</b>"  # expect: xss

    @cherrypy.expose
    @cherrypy.tools.json_out()
    def data(self, name="you"):
        return name  # ok: xss


class Hello:
    def on_get(self, req, resp):
        resp.content_type = "text/html"
        resp.text = "<b>" + req.params["name"] + "</b>"  # expect: xss

    def on_put(self, req, resp):
        resp.text = req.params["name"]  # ok: xss


app = falcon.App()
app.add_route("/hello", Hello())


@view_config(route_name="hello")
def hello(request):
    return Response("<b>%s</b>" % request.params["name"])  # expect: xss


class Answer(tornado.web.RequestHandler):
    def get(self):
        self.write({"name": self.get_argument("name")})  # ok: xss


class Known(tornado.web.RequestHandler):
    def is_known(self, name):
        return name and name in self.application.names

    def get(self, name):
        if not self.is_known(name):
            raise tornado.web.HTTPError(404)
        self.write(f"<b>{name}</b>")  # ok: xss

    def post(self, name):
        if name not in self.request.arguments:
            raise tornado.web.HTTPError(404)
        self.write(f"<b>{name}</b>")  # expect: xss


known = tornado.web.Application([(r"/known/(.+)", Known)])


class Item(Resource):
    def get(self, name):
        return name  # ok: xss


api = Api()
api.add_resource(Item, "/item/<name>")
