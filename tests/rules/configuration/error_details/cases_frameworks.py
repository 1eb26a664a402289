import falcon
from aiohttp import web
from sanic import Sanic, response
from sanic.response import json

from store import find

app = Sanic("shop")


@app.get("/one/<number>")
async def one(request, number):
    try:
        return response.json(find(number))
    except Exception as error:
        return response.json({"error": str(error)}, status=500)  # expect: error-details


@app.get("/two/<number>")
async def two(request, number):
    try:
        return json(find(number))
    except Exception as error:
        print(error)
        return json({"error": "not found"}, status=404)  # ok: error-details


class Three:
    def on_get(self, req, resp, number):
        try:
            resp.media = find(number)
        except Exception as error:
            raise falcon.HTTPBadRequest(title="wrong", description=str(error))  # expect: error-details


class Four:
    def on_get(self, req, resp, number):
        try:
            resp.media = find(number)
        except Exception:
            raise falcon.HTTPBadRequest(title="wrong")  # ok: error-details


async def five(request):
    try:
        return web.json_response(find(request.match_info["number"]))
    except Exception as error:
        return web.json_response({"error": str(error)}, status=500)  # expect: error-details
