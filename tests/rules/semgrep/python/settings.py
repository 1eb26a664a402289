import jwt
from flask import Flask
from flask_cors import CORS

DEBUG = True  # expect: python-debug-mode
SESSION_COOKIE_SECURE = False  # expect: python-cookie-flag-off
SESSION_COOKIE_HTTPONLY = True  # ok: python-cookie-flag-off
CORS_ALLOW_ALL_ORIGINS = True  # expect: python-cors-everyone

app = Flask(__name__)
CORS(app, supports_credentials=True)  # expect: python-cors-everyone
CORS(app, origins=["https://shop.example"])  # ok: python-cors-everyone


def who(token, key, response):
    response.set_cookie("sid", token, httponly=False)  # expect: python-cookie-flag-off
    response.set_cookie("sid", token, httponly=True, secure=True)  # ok: python-cookie-flag-off
    jwt.decode(token, options={"verify_signature": False})  # expect: python-jwt-unverified
    jwt.decode(token, key, algorithms=["none"])  # expect: python-jwt-unverified
    return jwt.decode(token, key, algorithms=["HS256"])  # ok: python-jwt-unverified


if __name__ == "__main__":
    app.run(debug=True)  # expect: python-debug-mode
    app.run(debug=False)  # ok: python-debug-mode
