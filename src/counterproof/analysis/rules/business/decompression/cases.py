import base64
import gzip
import zlib

from fastapi import FastAPI, UploadFile
from flask import Flask, request

app = Flask(__name__)
api = FastAPI()
LIMIT = 1_000_000


@app.post("/events")
def events():
    data = request.get_data()
    if request.headers.get("Content-Encoding") == "gzip":
        data = gzip.decompress(data)  # expect: decompression-bomb
    return str(len(data))


@app.post("/events-limited")
def events_limited():
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(request.get_data(), LIMIT)  # ok: decompression-bomb
    return str(len(data))


@app.post("/state")
def state():
    return zlib.decompress(base64.b64decode(request.form["state"]))  # expect: decompression-bomb


@api.post("/upload")
async def upload(file: UploadFile):
    return len(zlib.decompress(await file.read()))  # expect: decompression-bomb


def own():
    with open("data/own.z", "rb") as file:
        return zlib.decompress(file.read())  # ok: decompression-bomb


class Codec:
    def unpacked(self, body):
        return gzip.decompress(body)  # expect: decompression-bomb


@app.post("/batch")
def batch():
    return Codec().unpacked(request.data)


@app.get("/shipped")
def shipped():
    return zlib.decompress(base64.b64decode("eJwDAAAAAAE="))  # ok: decompression-bomb


@app.get("/packed")
def packed():
    return zlib.compress(request.data)  # ok: decompression-bomb
