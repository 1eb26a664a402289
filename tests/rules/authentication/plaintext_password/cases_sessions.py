from flask import Flask, request, session

app = Flask(__name__)


@app.post("/enter")
def enter():
    password = request.form["password"]
    session["name"] = request.form["name"]
    session["password"] = password  # expect: plaintext-password
    return "ok"


@app.post("/leave")
def leave():
    session["password_changed"] = True  # ok: plaintext-password
    return "ok"
