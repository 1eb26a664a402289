from urllib.parse import urlparse

BLOCKED = ("localhost", "127.0.0.1", "0.0.0.0")


def validate_url(url):
    if urlparse(url).hostname in BLOCKED:  # expect: spelled-hosts
        raise ValueError("private")
    return url


def debugging(host):
    return host in BLOCKED  # ok: spelled-hosts
