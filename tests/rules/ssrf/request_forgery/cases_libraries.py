import asyncio
import smtplib
import socket
import xmlrpc.client

import httplib2
from fastapi import FastAPI
from requests.api import get
from selenium import webdriver
from six.moves.urllib.request import urlopen

app = FastAPI()


@app.get("/fetch")
def fetch(url: str):
    get(url)  # expect: ssrf
    urlopen(url)  # expect: ssrf
    httplib2.Http().request(url)  # expect: ssrf
    get("https://api.example.org/items/" + url)  # ok: ssrf


@app.get("/probe")
async def probe(host: str, port: int):
    socket.socket().connect((host, port))  # expect: ssrf
    await asyncio.open_connection(host, port)  # expect: ssrf
    await asyncio.open_connection("localhost", port)  # ok: ssrf


@app.get("/mail")
def mail(server: str):
    smtplib.SMTP(server, 25)  # expect: ssrf
    xmlrpc.client.ServerProxy(f"http://{server}/rpc")  # expect: ssrf


@app.get("/shot")
def shot(address: str):
    driver = webdriver.Chrome()
    driver.get(address)  # expect: ssrf
    driver.get("https://example.org/?q=" + address)  # ok: ssrf
