import tornado.web


class Pages(tornado.web.RequestHandler):
    def post(self):
        self.write("saved")


class Site(tornado.web.Application):
    def __init__(self, settings):
        super().__init__([(r"/", Pages)], **settings)  # expect: csrf


class OldSite(tornado.web.Application):
    def __init__(self, settings):
        tornado.web.Application.__init__(self, [(r"/", Pages)], **settings)  # expect: csrf


class Named(Pages):
    def __init__(self, *arguments):
        super().__init__(*arguments)  # ok: csrf
