import hashlib
import os
import random
import secrets
import ssl

import jwt
import requests
from Crypto.Cipher import AES, DES
from flask import Flask

app = Flask(__name__)
app.secret_key = "changeme-please"  # expect: python-key-in-source
app.config["SECRET_KEY"] = os.environ["SECRET_KEY"]  # ok: python-key-in-source


def store(password, payload, key):
    hashlib.md5(password.encode()).hexdigest()  # expect: python-weak-password-hash
    hashlib.md5(payload).hexdigest()  # ok: python-weak-password-hash
    hashlib.scrypt(password.encode(), salt=key, n=2**14, r=8, p=1)  # ok: python-weak-password-hash
    DES.new(key, DES.MODE_CBC)  # expect: python-weak-cipher
    AES.new(key, AES.MODE_ECB)  # expect: python-weak-cipher
    AES.new(key, AES.MODE_GCM)  # ok: python-weak-cipher
    token = str(random.randint(0, 999999))  # expect: python-guessable-secret
    reset_token = secrets.token_urlsafe()  # ok: python-guessable-secret
    colour = random.choice(["red", "blue"])  # ok: python-guessable-secret
    jwt.encode({"sub": colour}, "top-secret", algorithm="HS256")  # expect: python-key-in-source
    return token, reset_token


def call(url):
    requests.get(url, verify=False, timeout=5)  # expect: python-certificate-check-off
    requests.get(url, verify="ca.pem", timeout=5)  # ok: python-certificate-check-off
    context = ssl.create_default_context()
    context.check_hostname = False  # expect: python-certificate-check-off
    context.verify_mode = ssl.CERT_NONE  # expect: python-certificate-check-off
