from urllib.parse import urlparse


def redirect_target(url):
    return url if url.startswith("/") else "/"  # expect: leading-slash


def next_url(url):
    if url.startswith(("http://", "https://")):  # expect: leading-slash
        return "/"
    return url


def checked_redirect(url):
    return url if url.startswith("/") and not urlparse(url).netloc else "/"  # ok: leading-slash


def absolute(path):
    return path.startswith("/")  # ok: leading-slash
