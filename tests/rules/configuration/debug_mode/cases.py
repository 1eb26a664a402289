import os

from fastapi import FastAPI
from flask import Flask

app = Flask(__name__)
app.config["DEBUG"] = True  # expect: debug-mode
app.config.update(DEBUG=False)  # ok: debug-mode
app.debug = True  # expect: debug-mode

api = FastAPI(title="orders", debug=True)  # expect: debug-mode
quiet = FastAPI(debug=os.getenv("DEBUG", "false").lower() == "true")  # ok: debug-mode


class ProductionConfig:
    DEBUG = os.environ.get("APP_DEBUG", "1")  # expect: debug-mode


class DevelopmentConfig:
    DEBUG = True  # ok: debug-mode


class DefaultConfig:
    DEBUG = True  # ok: debug-mode


class ProductionConfig(DefaultConfig):
    DEBUG = False  # ok: debug-mode


class CommonConfig:
    DEBUG = True  # expect: debug-mode


class ProductiveConfig(CommonConfig):
    NAME = "shop"


def start(options):
    if options.debug:
        app.debug = True  # ok: debug-mode
    if options.fast:
        app.debug = True  # expect: debug-mode


def report(items, debug=True):  # ok: debug-mode
    return [item for item in items if debug]


LEVELS = {"INFO": 20, "DEBUG": 10}  # ok: debug-mode
OPTIONS = {"DEBUG": True}  # expect: debug-mode


if __name__ == "__main__":
    app.run(host="0.0.0.0", debug=True)  # expect: debug-mode
    app.run(host="0.0.0.0", debug=False)  # ok: debug-mode
    app.run(host="0.0.0.0")  # ok: debug-mode
    if settings.debug:
        app.run(host="0.0.0.0", debug=True)  # ok: debug-mode
