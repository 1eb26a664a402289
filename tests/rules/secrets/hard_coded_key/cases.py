import os

SECRET_KEY = "k3Yx92LmQpZr81TvWn"  # expect: hard-coded-key
SIGNING_KEY = os.environ["SIGNING_KEY"]  # ok: hard-coded-key
ENCRYPTION_KEY = os.environ.get("ENCRYPTION_KEY")  # ok: hard-coded-key
KEY_NAME = "primary"  # ok: hard-coded-key
API_KEY_HEADER = "X-Api-Key"  # ok: hard-coded-key
WRAPPING_SECRET_KEY = bytes("7k54-3210", "UTF-8")  # expect: hard-coded-key

app.secret_key = "your-secret-key-here"  # expect: hard-coded-key
app.config["JWT_SECRET_KEY"] = "my_jwt_secret"  # expect: hard-coded-key
app.config["PAYMENT_API_KEY"] = "your-api-key-here"  # ok: hard-coded-key
app.secret_key = "{{ secret_key }}"  # ok: hard-coded-key
app.secret_key = os.environ.get("SECRET_KEY", "change-me")  # ok: hard-coded-key


SECRET_KEY_CHARSET = "abcdefghijklmnopqrstuvwxyz0123456789-_=+"  # ok: hard-coded-key
SECRET_KEY_CACHE_KEY = "secret-key"  # ok: hard-coded-key


def is_offered(api_key):
    return api_key != "public"  # ok: hard-coded-key


LABELS = {"wallet_api_key": "API Key", "fake_wallet_secret": "Secret", "relay_api_key": "Key", "pay_api_key": "Acme API Key (can be empty)"}  # ok: hard-coded-key
SECRET_KEY = "Secret"  # expect: hard-coded-key
LINK_HEADER_AUTH_KEY = "link-auth"  # ok: hard-coded-key


def renewed(shared_secret):
    return shared_secret is None or shared_secret == "generate"  # ok: hard-coded-key


class TestingConfig:
    SECRET_KEY = "k3Yx92LmQpZr81TvWn"  # ok: hard-coded-key


def loaded(context, session_key="session", secret_key="secret"):  # expect: hard-coded-key
    return context[session_key], secret_key


def found(context, session_key="session"):  # ok: hard-coded-key
    return context[session_key]

AUTH_HINT_KEY = "authHint"  # ok: hard-coded-key
ACCESS_TOKEN_KEY = "token"  # ok: hard-coded-key
ACCESS_TOKEN_VERSION_KEY = "accessTokenVersion"  # ok: hard-coded-key
JWT_SECRET_KEY = "jwt-secret"  # expect: hard-coded-key
AUTH_SIGNING_KEY = "authority-of-8-ports"  # expect: hard-coded-key
