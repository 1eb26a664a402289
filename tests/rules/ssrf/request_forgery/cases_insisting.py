"""Checks of the project's own that raise: they count where they look at the host, and not by their name alone."""

import ipaddress
import socket
from urllib.parse import urlsplit

import requests
from flask import Flask, request

app = Flask(__name__)


def validate_remote_url(address, inner):
    parts = urlsplit(address)
    found = ipaddress.ip_address(socket.gethostbyname(parts.hostname))
    if inner and found.is_private:
        raise ValueError(address)


def validate_some_url(address):
    if "localhost" in address:
        raise ValueError(address)


@app.post("/pull")
def pull():
    address = request.form["address"]
    validate_remote_url(address, inner=app.config["INNER"])
    return requests.get(address).text  # ok: ssrf


@app.post("/fetch")
def fetch():
    address = request.form["address"]
    validate_some_url(address)
    return requests.get(address).text  # expect: ssrf
