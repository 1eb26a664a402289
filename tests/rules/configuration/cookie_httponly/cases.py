from aiohttp_session.redis_storage import RedisStorage
from flask import Flask, make_response

app = Flask(__name__)
app.config["SESSION_COOKIE_HTTPONLY"] = False  # expect: cookie-httponly
app.config.from_mapping(SESSION_COOKIE_HTTPONLY=True)  # ok: cookie-httponly
CSRF_COOKIE_HTTPONLY = False  # ok: cookie-httponly

storage = RedisStorage(pool(), httponly=False)  # expect: cookie-httponly
tight = RedisStorage(pool(), httponly=True)  # ok: cookie-httponly


@app.route("/login")
def login():
    response = make_response("welcome")
    response.set_cookie("sessionid", new_session(), secure=True)  # expect: cookie-httponly
    response.set_cookie("sessionid", new_session(), secure=True, httponly=True)  # ok: cookie-httponly
    response.set_cookie("jwt", token(), httponly=False)  # expect: cookie-httponly
    response.set_cookie("language", "en")  # ok: cookie-httponly
    response.set_cookie("sessionid", "", max_age=0)  # ok: cookie-httponly
    return response


@app.route("/known")
def known(user, theme):
    response = make_response("welcome")
    mark = f"{user.username}|{user.since}"
    response.set_cookie("mark", mark)  # expect: cookie-httponly
    response.set_cookie("admin", "0")  # expect: cookie-httponly
    response.set_cookie("theme", theme)  # ok: cookie-httponly
    return response


class OpenCookies:
    def __call__(self, request):
        response = self.get_response(request)
        return response


def marked(response):
    response.set_cookie("is_user_authorized", "true")  # ok: cookie-httponly
    response.set_cookie("user_token", issued())  # expect: cookie-httponly
    return response


def with_form_token(response, session, settings):
    name = settings.XSRF_COOKIE_NAME
    response.set_cookie(name, session[name])  # ok: cookie-httponly
    response.set_cookie(settings.LOGIN_COOKIE_NAME, session["id"])  # expect: cookie-httponly
