import hmac
import os

from flask import request

HOOK_SECRET = os.environ["HOOK_SECRET"]


def on_the_spot():
    return request.headers.get("X-Hook") == os.environ["HOOK_TOKEN"]  # expect: timing-comparison


def by_a_variable():
    wanted = os.getenv("HOOK_TOKEN")
    given = request.headers["X-Hook"]
    return given == wanted  # expect: timing-comparison


def by_a_constant():
    return request.headers["X-Hook"] != HOOK_SECRET  # expect: timing-comparison


def steady():
    return hmac.compare_digest(request.headers["X-Hook"], HOOK_SECRET)  # ok: timing-comparison


def a_place():
    return request.args["region"] == os.environ["REGION"]  # ok: timing-comparison


def a_mode():
    return os.environ["TOKEN_TYPE"] == request.args["kind"]  # ok: timing-comparison
