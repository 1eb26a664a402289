"""Sends one request to a web target, for the harness.

An application is called through WSGI or ASGI; a server of its own is called over the sandbox's loopback.
"""

# pyright: basic

import asyncio
import base64
import http.client
import io
import urllib.parse

LONGEST = 400_000


def request(question, state):
    method, path, headers, body = question["method"], question["path"], question["headers"], base64.b64decode(question["body"])
    ask = {"wsgi": _wsgi, "asgi": _asgi, "server": _server}[state["kind"]]
    status, got, text = ask(state, method, path, headers, body)
    return {"status": status, "headers": [[str(a), str(b)] for a, b in got], "body": text[:LONGEST].decode("utf-8", "replace")}


def _wsgi(state, method, path, headers, body):
    place, _, query = path.partition("?")
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": urllib.parse.unquote_to_bytes(place).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in headers:
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else "HTTP_" + key] = value
    began = []
    parts = state["application"](environ, lambda status, got, info=None: began.append((status, got)) or (lambda data: None))
    try:
        text = b"".join(parts)
    finally:
        getattr(parts, "close", lambda: None)()
    return int(began[-1][0].split()[0]), began[-1][1], text


def _asgi(state, method, path, headers, body):
    place, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": urllib.parse.unquote(place),
        "raw_path": place.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(a.lower().encode("latin-1"), b.encode("latin-1", "replace")) for a, b in headers],
        "client": ("127.0.0.1", 50_000),
        "server": ("localhost", 80),
    }
    loop = state.setdefault("loop", asyncio.new_event_loop())
    if "lifespan" not in state:
        state["lifespan"] = loop.create_task(_lifespan(state["application"]))
        loop.run_until_complete(asyncio.sleep(0.2))
    return loop.run_until_complete(_asked(state["application"], scope, body))


async def _asked(application, scope, body):
    said, sent = [], []

    async def receive():
        if sent:
            await asyncio.sleep(3_600)
        sent.append(True)
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        said.append(message)

    await application(scope, receive, send)
    start = next(each for each in said if each["type"] == "http.response.start")
    got = [(a.decode("latin-1"), b.decode("latin-1")) for a, b in start.get("headers", ())]
    return start["status"], got, b"".join(each.get("body", b"") for each in said if each["type"] == "http.response.body")


async def _lifespan(application):
    began = []

    async def receive():
        if began:
            await asyncio.sleep(3_600)
        began.append(True)
        return {"type": "lifespan.startup"}

    async def send(_):
        return None

    try:
        await application({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)
    except BaseException:
        return


def _server(state, method, path, headers, body):
    patience = state.get("patience", 4.0)
    connection = http.client.HTTPConnection("127.0.0.1", state["port"], timeout=patience)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in [*headers, ["Content-Length", str(len(body))]]:
        connection.putheader(name, value.encode("latin-1", "replace"))
    connection.endheaders(body)
    state["patience"] = max(0.3, patience / 2)  # if there is no answer
    answer = connection.getresponse()
    state["patience"] = patience
    return answer.status, answer.getheaders(), answer.read(LONGEST)
