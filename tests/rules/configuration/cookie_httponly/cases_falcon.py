import falcon


class Login:
    def on_post(self, req, resp):
        resp.set_cookie("session_id", req.media["token"])  # ok: cookie-httponly
        resp.set_cookie("session_id", req.media["token"], http_only=False)  # expect: cookie-httponly
        raise falcon.HTTPFound("/")
