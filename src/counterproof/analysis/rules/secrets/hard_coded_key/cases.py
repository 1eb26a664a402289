import os

SECRET_KEY = "k3Yx92LmQpZr81TvWn"  # expect: hard-coded-key
SIGNING_KEY = os.environ["SIGNING_KEY"]  # ok: hard-coded-key
ENCRYPTION_KEY = os.environ.get("ENCRYPTION_KEY")  # ok: hard-coded-key
KEY_NAME = "primary"  # ok: hard-coded-key
API_KEY_HEADER = "X-Api-Key"  # ok: hard-coded-key

SECRET_KEY_CHARSET = "abcdefghijklmnopqrstuvwxyz0123456789-_=+"  # ok: hard-coded-key
SECRET_KEY_CACHE_KEY = "secret-key"  # ok: hard-coded-key


def is_offered(api_key):
    return api_key != "public"  # ok: hard-coded-key
