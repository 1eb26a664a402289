from flask import Flask

app = Flask(__name__)
app.config["SESSION_COOKIE_SAMESITE"] = "None"  # expect: cookie-samesite
app.config["SESSION_COOKIE_SAMESITE"] = "Lax"  # ok: cookie-samesite
SESSION_COOKIE_SAMESITE = None  # ok: cookie-samesite
CSRF_COOKIE_SAMESITE = "none"  # expect: cookie-samesite


def widget(response, value):
    response.set_cookie("sid", value, secure=True, samesite="None")  # expect: cookie-samesite
    response.set_cookie("sid", value, secure=True, samesite="Strict")  # ok: cookie-samesite
    response.set_cookie("sid", value, secure=True)  # ok: cookie-samesite
