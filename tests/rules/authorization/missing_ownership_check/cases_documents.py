from functools import wraps

from bson import ObjectId
from flask import Flask, abort, jsonify, session
from pymongo import MongoClient

app = Flask(__name__)
store = MongoClient().shop


def members(view):
    @wraps(view)
    def inner(*args, **kwargs):
        if "user_id" not in session:
            abort(401)
        return view(*args, **kwargs)

    return inner


@app.post("/parcels")
@members
def send():
    store.parcels.insert_one({"user_id": session["user_id"]})
    return "sent"


@app.get("/parcels/<number>")
@members
def shown(number):
    return jsonify(store.parcels.find_one({"_id": ObjectId(number)}))  # expect: missing-ownership-check


@app.post("/parcels/<number>/drop")
@members
def dropped(number):
    store["parcels"].delete_one({"_id": ObjectId(number)})  # expect: missing-ownership-check
    return "gone"


@app.get("/parcels/<number>/own")
@members
def own(number):
    return jsonify(store.parcels.find_one({"_id": ObjectId(number), "user_id": session["user_id"]}))  # ok: missing-ownership-check


@app.get("/offices/<number>")
@members
def office(number):
    return jsonify(store.offices.find_one({"_id": ObjectId(number)}))  # ok: missing-ownership-check
