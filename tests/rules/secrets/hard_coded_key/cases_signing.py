"""What the code gives its framework to sign with is a key, whatever it reads like."""

import os

from flask import Flask

app = Flask(__name__)
app.secret_key = "BAD_SECRET_KEY"  # expect: hard-coded-key
other = Flask("other")
other.secret_key = os.environ["BAD_SECRET_KEY"]  # ok: hard-coded-key
third = Flask("third")
third.config["SESSION_COOKIE_NAME"] = "secret_key"  # ok: hard-coded-key
