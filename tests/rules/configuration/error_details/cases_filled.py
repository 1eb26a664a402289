import falcon


class Notes:
    def on_get(self, req, resp):
        try:
            resp.media = load(req)
        except Exception as error:
            resp.media = {"error": str(error)}  # expect: error-details

    def on_post(self, req, resp):
        try:
            resp.media = load(req)
        except Exception:
            resp.media = {"error": "internal"}  # ok: error-details
            raise falcon.HTTPInternalServerError() from None
