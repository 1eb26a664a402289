from http.server import SimpleHTTPRequestHandler


class Handler(SimpleHTTPRequestHandler):
    def do_GET(self):
        path = self.translate_path(self.path)
        return open(path, "rb")  # ok: path-traversal

    def do_POST(self):
        return open("/srv" + self.path, "rb")  # expect: path-traversal
