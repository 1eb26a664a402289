import os

SECRET_KEY = "k3Yx92LmQpZr81TvWn"  # expect: hard-coded-key
SIGNING_KEY = os.environ["SIGNING_KEY"]  # ok: hard-coded-key
ENCRYPTION_KEY = os.environ.get("ENCRYPTION_KEY")  # ok: hard-coded-key
KEY_NAME = "primary"  # ok: hard-coded-key
API_KEY_HEADER = "X-Api-Key"  # ok: hard-coded-key
WRAPPING_SECRET_KEY = bytes("76543210", "UTF-8")  # expect: hard-coded-key

app.secret_key = "your-secret-key-here"  # expect: hard-coded-key
app.config["JWT_SECRET_KEY"] = "my_jwt_secret"  # expect: hard-coded-key
app.config["PAYMENT_API_KEY"] = "your-api-key-here"  # ok: hard-coded-key
app.secret_key = "{{ secret_key }}"  # ok: hard-coded-key
app.secret_key = os.environ.get("SECRET_KEY", "change-me")  # ok: hard-coded-key


SECRET_KEY_CHARSET = "abcdefghijklmnopqrstuvwxyz0123456789-_=+"  # ok: hard-coded-key
SECRET_KEY_CACHE_KEY = "secret-key"  # ok: hard-coded-key


def is_offered(api_key):
    return api_key != "public"  # ok: hard-coded-key
