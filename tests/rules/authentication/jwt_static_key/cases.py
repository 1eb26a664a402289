import os

import jwt

SIGNING = "a-word-in-the-code"
SIGNING_SECRET = "k3yOfTheHouse91x"
LOADED = os.environ["SIGNING"]


def tokens(payload, token, app):
    first = jwt.encode(payload, "another-word", algorithm="HS256")  # expect: jwt-static-key
    again = jwt.decode(token, SIGNING, algorithms=["HS256"])  # expect: jwt-static-key
    third = jwt.decode(token, key=b"bytes-in-the-code", algorithms=["HS256"])  # expect: jwt-static-key
    fourth = jwt.encode(payload, LOADED, algorithm="HS256")  # ok: jwt-static-key
    fifth = jwt.decode(token, app.config["KEY"], algorithms=["HS256"])  # ok: jwt-static-key
    sixth = jwt.decode(token, os.environ["KEY"], algorithms=["HS256"])  # ok: jwt-static-key
    seventh = jwt.decode(token, SIGNING_SECRET, algorithms=["HS256"])  # ok: jwt-static-key
    return first, again, third, fourth, fifth, sixth, seventh
