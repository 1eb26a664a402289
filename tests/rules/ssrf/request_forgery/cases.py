import urllib.request
from urllib.parse import urlparse

import aiohttp
import httpx
import requests
from flask import Flask, abort, request

app = Flask(__name__)
HOSTS = {"api.example", "images.example"}


class Client:
    def __init__(self):
        self.session = requests.Session()

    def load(self, address):
        return self.session.get(address, timeout=5)  # ok: ssrf


@app.route("/fetch")
def fetch():
    return requests.get(request.args["url"]).text  # expect: ssrf


@app.route("/client", methods=["POST"])
def client():
    return Client().load("http://" + request.form["host"] + "/status").text  # expect: ssrf


@app.route("/open")
def opened():
    return urllib.request.urlopen(request.args.get("url")).read()  # expect: ssrf


async def proxy(request):
    async with aiohttp.ClientSession() as session, session.get(request.query["url"]) as answer:  # expect: ssrf
        return await answer.text()


@app.route("/verb", methods=["POST"])
def verb():
    return httpx.request("GET", request.json["callback"]).text  # expect: ssrf


@app.route("/literal")
def literal():
    return requests.get("https://api.example/status", params={"q": request.args["q"]}).text  # ok: ssrf


@app.route("/path/<name>")
def path(name):
    return requests.get(f"https://api.example/items/{name}").text  # ok: ssrf


@app.route("/setting/<name>")
def setting(name):
    return requests.get(app.config["SERVICE"] + "/items/" + name).text  # ok: ssrf


@app.route("/domain/<name>")
def domain(name):
    return requests.get("https://%s.example/" % name).text  # expect: ssrf


@app.route("/host-list")
def host_list():
    url = request.args["url"]
    if urlparse(url).hostname not in HOSTS:
        abort(400)
    return requests.get(url).text  # ok: ssrf


@app.route("/parsed")
def parsed():
    url = request.args["url"]
    parts = urlparse(url)
    if parts.scheme != "https" or parts.netloc != "api.example":
        return "no", 400
    return requests.get(url).text  # ok: ssrf


@app.route("/prefix")
def prefix():
    url = request.args["url"]
    if not url.startswith("https://api.example/"):
        return "no", 400
    return httpx.get(url).text  # ok: ssrf


@app.route("/chosen")
def chosen():
    service = {"a": "https://a.example", "b": "https://b.example"}[request.args["service"]]
    return requests.get(service).text  # ok: ssrf
