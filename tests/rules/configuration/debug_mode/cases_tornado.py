import tornado.web


class Site(tornado.web.Application):
    def __init__(self, handlers):
        settings = dict(
            login_url="/enter",
            debug=True,  # expect: debug-mode
        )
        super().__init__(handlers, **settings)


class Quiet(tornado.web.Application):
    def __init__(self, handlers):
        settings = dict(
            login_url="/enter",
            debug=False,  # ok: debug-mode
        )
        super().__init__(handlers, **settings)
