import web

urls = ("/find", "Find", "/plain", "Plain")


class Find:
    def GET(self):
        asked = web.input(word="")
        return "<p>" + asked.word + "</p>"  # expect: xss

    def POST(self):
        return "<p>" + web.websafe(web.input().word) + "</p>"  # ok: xss


class Plain:
    def GET(self):
        return "<p>" + str(int(web.input().number)) + "</p>"  # ok: xss


application = web.application(urls, globals())
