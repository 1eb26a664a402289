from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from flask import Flask
from flask_cors import CORS
from starlette.middleware import Middleware

app = Flask(__name__)
CORS(app)  # expect: cors-wildcard
CORS(app, origins=["https://shop.example"])  # ok: cors-wildcard
CORS(app, resources={"/api/*": {"origins": "*"}}, supports_credentials=True)  # expect: cors-wildcard
CORS(app, resources={"/api/*": {"origins": "https://shop.example"}})  # ok: cors-wildcard

api = FastAPI()
api.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True)  # expect: cors-wildcard
api.add_middleware(CORSMiddleware, allow_origins=["https://shop.example"])  # ok: cors-wildcard
LAYERS = [Middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True)]  # expect: cors-wildcard

CORS_ALLOW_ALL_ORIGINS = True  # expect: cors-wildcard
CORS_ORIGIN_ALLOW_ALL = False  # ok: cors-wildcard


def mirror(response, request, allowed):
    response.headers["Access-Control-Allow-Origin"] = request.headers.get("Origin", "*")  # expect: cors-wildcard
    origin = request.headers.get("Origin")
    if origin in allowed:
        response.headers["Access-Control-Allow-Origin"] = origin  # ok: cors-wildcard


def answer(response):
    response.headers["Access-Control-Allow-Origin"] = "*"  # expect: cors-wildcard
    response.headers["Access-Control-Allow-Origin"] = "https://shop.example"  # ok: cors-wildcard
    response.headers["Access-Control-Allow-Origin"] = "null"  # expect: cors-wildcard


def matched(application):
    application.add_middleware(CORSMiddleware, allow_origin_regex=".*shop.example.com", allow_credentials=True)  # expect: cors-wildcard
    application.add_middleware(CORSMiddleware, allow_origin_regex=r"https://a\.example\.com", allow_credentials=True)  # ok: cors-wildcard
