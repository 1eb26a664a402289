from aiohttp import web
from aiohttp_session import get_session

from store import keep

routes = web.RouteTableDef()


class Known:
    async def _iter(self):
        session = await get_session(self.request)
        if "member" not in session:
            raise web.HTTPFound("/enter")
        return await super()._iter()


@routes.view("/notes")
class Notes(Known, web.View):
    async def post(self):  # expect: csrf
        form = await self.request.post()
        session = await get_session(self.request)
        await keep(session["member"], form["text"])
        return web.json_response({})


@routes.view("/drafts")
class Drafts(Known, web.View):
    async def post(self):  # ok: csrf
        form = await self.request.post()
        session = await get_session(self.request)
        if form["csrf"] != session["csrf"]:
            raise web.HTTPBadRequest
        await keep(session["member"], form["text"])
        return web.json_response({})


@routes.view("/sent")
class Sent(Known, web.View):
    async def post(self):  # ok: csrf
        body = await self.request.json()
        session = await get_session(self.request)
        await keep(session["member"], body["text"])
        return web.json_response({})
