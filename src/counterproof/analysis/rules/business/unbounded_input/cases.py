import os
import time
from typing import Annotated

from celery import shared_task
from fastapi import FastAPI, Query
from flask import Flask, abort, request
from PIL import Image

app = Flask(__name__)
api = FastAPI()
LIMIT = 100
SIZES = {"small": 16, "large": 256}


@app.get("/wait")
def wait():
    time.sleep(float(request.args["seconds"]))  # expect: unbounded-input
    return "done"


@app.get("/wait-checked")
def wait_checked():
    seconds = float(request.args["seconds"])
    if seconds > 5:
        abort(400)
    time.sleep(seconds)  # ok: unbounded-input
    return "done"


@app.get("/numbers")
def numbers():
    count = int(request.args.get("count", 10))
    return ",".join(str(each * each) for each in range(count))  # expect: unbounded-input


@app.get("/numbers-clamped")
def numbers_clamped():
    count = min(int(request.args.get("count", 10)), LIMIT)
    return ",".join(str(each * each) for each in range(count))  # ok: unbounded-input


@app.get("/rows", methods=["POST"])
def rows():
    given = request.get_json()
    return str([given[each] for each in range(len(given))])  # ok: unbounded-input


@app.get("/padding")
def padding():
    return "x" * int(request.args["width"])  # expect: unbounded-input


@app.get("/sized")
def sized():
    return "x" * SIZES[request.args["size"]]  # ok: unbounded-input


def noise(size):
    return os.urandom(size)  # expect: unbounded-input


@app.get("/noise")
def handle_noise():
    return noise(int(request.args["bytes"]))


@api.get("/picture")
def picture(width: int, height: int):
    return Image.new("RGB", (width, height))  # expect: unbounded-input


@api.get("/thumbnail")
def thumbnail(width: Annotated[int, Query(le=512)], height: int = Query(64, le=512)):
    return Image.new("RGB", (width, height))  # ok: unbounded-input


@shared_task
def repeat(total: int):
    for _ in range(total):  # ok: unbounded-input
        time.sleep(1)


def fixed():
    time.sleep(5)  # ok: unbounded-input
    return [0] * LIMIT  # ok: unbounded-input
