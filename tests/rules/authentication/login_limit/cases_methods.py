import falcon
from accounts import matches_password


class Door:
    def enter(self, req, resp):
        sent = req.media
        self.opened(sent["name"], sent["password"], resp)

    def opened(self, name, password, resp):
        if not matches_password(name, password):
            raise falcon.HTTPUnauthorized()
        resp.media = {"welcome": name}

    def on_post(self, req, resp):  # expect: login-limit
        self.enter(req, resp)


class Bell:
    def ring(self, req, resp):
        resp.media = {"rung": req.media["times"]}

    def on_post(self, req, resp):  # ok: login-limit
        self.ring(req, resp)


app = falcon.App()
app.add_route("/door", Door())
app.add_route("/bell", Bell())
