import socket
from urllib.parse import urlparse

import requests


def cover(url):
    ip = socket.getaddrinfo(urlparse(url).hostname, 0)[0][4][0]
    if ip.startswith("127.") or ip == "::1":
        raise ValueError(url)
    return requests.get(url, timeout=10)  # expect: followed-redirect


def cover_without_redirects(url):
    ip = socket.getaddrinfo(urlparse(url).hostname, 0)[0][4][0]
    if ip.startswith("127.") or ip == "::1":
        raise ValueError(url)
    return requests.get(url, timeout=10, allow_redirects=False)  # ok: followed-redirect


def hook(session, url, other):
    host = urlparse(url).hostname
    if is_private_host(host):
        raise ValueError(url)
    session.post(other)  # ok: followed-redirect
    return session.request("GET", url)  # expect: followed-redirect


def later(url):
    answer = requests.get(url)  # ok: followed-redirect
    return answer, socket.gethostbyname(url)


def unchecked(url):
    return requests.get(url)  # ok: followed-redirect
