import json

from bson.objectid import ObjectId
from flask import Flask, request
from mongoengine import Document, StringField
from pymongo import MongoClient

app = Flask(__name__)
client = MongoClient()
users = client.shop.users


class Film(Document):
    title = StringField()


@app.post("/login")
def login():
    data = request.get_json()
    user = users.find_one({"name": data["name"], "password": data["password"]})  # expect: nosql-injection
    return {"found": user is not None}


@app.post("/find")
def find():
    return {"found": len(list(users.find(request.json)))}  # expect: nosql-injection


@app.get("/filter")
def filtered():
    wanted = json.loads(request.args["filter"])
    return {"count": client.shop.orders.count_documents(wanted)}  # expect: nosql-injection


def removed(name):
    client.shop.users.delete_many({"name": name})  # expect: nosql-injection


@app.post("/remove")
def remove():
    removed(request.json.get("name"))
    return {}


@app.get("/by-name")
def by_name():
    return {"found": users.find_one({"name": request.args["name"]}) is not None}  # ok: nosql-injection


@app.post("/text")
def text():
    return {"found": users.find_one({"name": str(request.json["name"])}) is not None}  # ok: nosql-injection


@app.post("/id")
def by_id():
    return {"found": users.find_one({"_id": ObjectId(request.json["id"])}) is not None}  # ok: nosql-injection


@app.post("/number")
def number():
    return {"found": users.find_one({"age": int(request.json["age"])}) is not None}  # ok: nosql-injection


@app.post("/checked")
def checked():
    name = request.json["name"]
    if not isinstance(name, str):
        return {}, 400
    return {"found": users.find_one({"name": name}) is not None}  # ok: nosql-injection


@app.post("/plain")
def plain():
    return {"position": request.json["text"].find(request.json["part"])}  # ok: nosql-injection


@app.post("/compared")
def compared():
    wanted = request.json["name"]
    return {"found": users.find_one({"name": {"$eq": wanted}}) is not None}  # ok: nosql-injection


@app.post("/operator")
def operator():
    wanted = request.json["name"]
    return {"found": users.find_one({"name": {"$not": wanted}}) is not None}  # expect: nosql-injection


@app.post("/films")
def films():
    return {"found": Film.objects(__raw__=request.json).count()}  # expect: nosql-injection


@app.post("/film")
def film():
    return {"found": Film.objects(title=request.form["title"]).count()}  # ok: nosql-injection
