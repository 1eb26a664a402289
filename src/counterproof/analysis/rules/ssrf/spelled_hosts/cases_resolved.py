import ipaddress
import socket
from urllib.parse import urlparse


def validate_url(url):
    host = urlparse(url).hostname
    if host in ("localhost", "127.0.0.1"):  # ok: spelled-hosts
        raise ValueError("private")
    for *_, where in socket.getaddrinfo(host, None):
        if not ipaddress.ip_address(where[0]).is_global:
            raise ValueError("private")
    return url
