from flask import Flask, make_response

app = Flask(__name__)
app.config["SESSION_COOKIE_SECURE"] = False  # expect: cookie-secure
app.config.update(SESSION_COOKIE_SECURE=True)  # ok: cookie-secure
CSRF_COOKIE_SECURE = False  # expect: cookie-secure


@app.route("/login")
def login():
    response = make_response("welcome")
    response.set_cookie("session_id", new_session())  # expect: cookie-secure
    response.set_cookie("session_id", new_session(), secure=True, httponly=True)  # ok: cookie-secure
    response.set_cookie("basket", "1", secure=False)  # expect: cookie-secure
    response.set_cookie("theme", "dark")  # ok: cookie-secure
    response.set_cookie("auth_token", "", expires=0)  # ok: cookie-secure
    response.set_cookie("remember_token", token_for("x"), max_age=60, httponly=True)  # expect: cookie-secure
    return response


def loosened(response):
    return response


def marked(response):
    response.set_cookie("is_user_authorized", "true")  # ok: cookie-secure
    return response
