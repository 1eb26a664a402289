import os

import cherrypy
from cherrypy.lib.static import serve_file
from django.http import FileResponse
from django.views import View
from pyramid.response import FileResponse as PyramidFile
from pyramid.view import view_config

FOLDER = "/srv/files"


def pages(path):
    @cherrypy.expose
    def handler(*parts):
        name = os.path.join(path, *parts)
        assert name.startswith(path)
        return serve_file(name)  # expect: path-traversal

    return handler


def checked_pages():
    @cherrypy.expose
    def handler(*parts):
        name = os.path.realpath(os.path.join(FOLDER, *parts))
        if not name.startswith(FOLDER):
            raise cherrypy.NotFound()
        return serve_file(name)  # ok: path-traversal

    return handler


class Download(View):
    def get(self, request, *args, **kwargs):
        return FileResponse(open(os.path.join(FOLDER, self.kwargs["name"]), "rb"))  # expect: path-traversal

    def post(self, request, *args, **kwargs):
        return FileResponse(open(os.path.join(FOLDER, os.path.basename(self.kwargs["name"])), "rb"))  # ok: path-traversal


@view_config(route_name="file")
def file(request):
    return PyramidFile(os.path.join(FOLDER, request.params["name"]))  # expect: path-traversal


def keep_picture(request):
    sent = request.FILES["picture"]
    with open("/srv/pictures/" + sent.name, "wb") as kept:  # ok: path-traversal
        kept.write(sent.read())


def keep_under(request):
    sent = request.FILES["picture"]
    with open("/srv/" + request.POST["folder"] + "/" + sent.name, "wb") as kept:  # expect: path-traversal
        kept.write(sent.read())
