from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler
from urllib.parse import parse_qs, quote, urlsplit


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        asked = parse_qs(urlsplit(self.path).query)
        language = asked["language"][0]
        self.send_response(200)
        self.send_header("Content-Language", language)  # expect: header-injection
        self.send_header("Set-Cookie", f"language={language}; HttpOnly")  # expect: header-injection
        self.send_header("Content-Language", quote(language))  # ok: header-injection
        self.send_header("Content-Language", language.replace("\r", "").replace("\n", ""))  # ok: header-injection
        self.send_header("Content-Type", "text/plain")  # ok: header-injection
        self.end_headers()


class Files(SimpleHTTPRequestHandler):
    def tell(self, name, value):
        self.send_header(name, value)  # expect: header-injection

    def do_POST(self):
        asked = parse_qs(self.rfile.read(100).decode())
        self.send_response(200)
        self.tell("X-Note", asked["note"][0])
        self.send_header(asked["name"][0], "yes")  # expect: header-injection
        count = int(asked["count"][0])
        self.send_header("X-Count", str(count))  # ok: header-injection
        self.end_headers()
