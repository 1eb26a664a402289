from typing import Annotated

from fastapi import Body, Depends, FastAPI, Form
from fastapi.security import OAuth2PasswordRequestForm
from flask import Flask, request

app = Flask(__name__)
api = FastAPI()


@app.get("/enter")
def enter():
    return known(request.args["name"], request.args.get("password"))  # expect: password-in-address


@app.post("/enter")
def enter_by_form():
    return known(request.form["name"], request.form["password"])  # ok: password-in-address


@app.get("/help")
def help_page():
    return request.args.get("password_policy", "")  # ok: password-in-address


@api.post("/accounts")
def account(
    name: str,
    password: str,  # expect: password-in-address
):
    return known(name, password)


@api.post("/accounts/form")
def account_by_form(
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],  # ok: password-in-address
):
    return known(name, password)


@api.post("/accounts/body")
def account_by_body(
    name: str = Body(),
    password: str = Body(),  # ok: password-in-address
):
    return known(name, password)


@api.post("/token")
def token(form: OAuth2PasswordRequestForm = Depends()):
    return known(form.username, form.password)  # ok: password-in-address


def known(name, password):
    return bool(name and password)
