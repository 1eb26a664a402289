import cherrypy
from aiohttp import web
from aiohttp_session import get_session, new_session

SESSION_KEY = "user"
users = {}


class Pages:
    @cherrypy.expose
    def login(self, name=None, password=None):
        if users[name].check_password(password):
            cherrypy.session[SESSION_KEY] = name  # expect: session-fixation
        return "welcome"

    @cherrypy.expose
    def enter(self, name=None, password=None):
        if users[name].check_password(password):
            cherrypy.session.regenerate()
            cherrypy.session[SESSION_KEY] = name  # ok: session-fixation
        return "welcome"

    @cherrypy.expose
    def leave(self):
        cherrypy.session[SESSION_KEY] = None  # ok: session-fixation

    @cherrypy.expose
    def colour(self, name):
        cherrypy.session["colour"] = name  # ok: session-fixation


async def sign_in(request):
    form = await request.post()
    session = await get_session(request)
    user = users[form["name"]]
    if user.check_password(form["password"]):
        session["user_id"] = user.id  # expect: session-fixation
    return web.Response(text="done")


async def sign_in_again(request):
    form = await request.post()
    user = users[form["name"]]
    if user.check_password(form["password"]):
        session = await new_session(request)
        session["user_id"] = user.id  # ok: session-fixation
    return web.Response(text="done")


async def sign_in_and_remember(request):
    form = await request.post()
    session = await get_session(request)
    session["seen"] = True  # ok: session-fixation
    user = users[form["name"]]
    if user.check_password(form["password"]):
        session["member"] = user.id  # expect: session-fixation
        session["member_since"] = user.joined  # ok: session-fixation
    return web.Response(text="done")


async def renamed(request):
    form = await request.post()
    session = await get_session(request)
    known = session["user_id"]
    if users[known].check_password(form["password"]):
        session["user_id"] = form["wanted"]  # ok: session-fixation
    return web.Response(text="done")
