import tornado.web


class Stats(tornado.web.RequestHandler):
    def get(self):
        try:
            return self.load()
        except Exception as error:
            self.write(str(error))  # expect: error-details

    def post(self):
        try:
            return self.load()
        except Exception as error:
            self.write(str(error))  # ok: error-details

    def put(self):
        try:
            return self.load()
        except Exception as error:
            self.write(str(error))  # ok: error-details

    def delete(self):
        try:
            return self.load()
        except Exception as error:
            self.write(str(error))  # ok: error-details


class Few(tornado.web.RequestHandler):
    def get(self):
        try:
            return self.load()
        except Exception as error:
            self.write(str(error))  # expect: error-details

    def post(self):
        try:
            return self.load()
        except Exception as error:
            self.write(str(error))  # expect: error-details


def create_app():
    app = tornado.web.Application()

    def first(request):
        try:
            return load()
        except Exception as error:
            return str(error)  # expect: error-details

    def second(request):
        try:
            return load()
        except Exception as error:
            return str(error)  # expect: error-details

    def third(request):
        try:
            return load()
        except Exception as error:
            return str(error)  # expect: error-details

    def fourth(request):
        try:
            return load()
        except Exception as error:
            return str(error)  # expect: error-details

    return app, first, second, third, fourth
