from typing import Optional

import graphene
import strawberry
from fastapi import Depends, FastAPI
from pydantic import BaseModel, Field, SecretStr

from store import current, people

app = FastAPI()


class Shown(BaseModel):
    id: int
    name: str


class Told(Shown):
    street: str
    ssn: Optional[str] = None  # expect: exposed-field


class Sent(BaseModel):
    name: str
    password: str  # ok: exposed-field


class Kept(Shown):
    password: str = Field(exclude=True)  # ok: exposed-field
    password_hash: SecretStr = SecretStr("")  # ok: exposed-field


@app.get("/people", response_model=list[Told])
def everybody(caller=Depends(current)):
    return people()


@app.post("/people", response_model=Shown)
def enrol(body: Sent):
    return people().add(body)


@app.get("/kept", response_model=Kept)
def kept():
    return people().first()


@strawberry.type
class Person:
    id: int
    credit_card: Optional[str] = None  # expect: exposed-field


@strawberry.input
class NewPerson:
    name: str
    password: str  # ok: exposed-field


class Member(graphene.ObjectType):
    name = graphene.String()
    password = graphene.String()  # expect: exposed-field


class Shop(graphene.ObjectType):
    password_login_mode = graphene.String()  # ok: exposed-field


class ShopMutations(graphene.ObjectType):
    set_password = graphene.String()  # ok: exposed-field


class Enrol(graphene.Mutation):
    class Arguments:
        password = graphene.String()  # ok: exposed-field

    done = graphene.Boolean()


class Ran(BaseModel):
    cmd: list[str]
    pwd: str  # ok: exposed-field


class Joined(BaseModel):
    login: str
    pwd: str  # expect: exposed-field


@app.get("/runs", response_model=list[Ran])
def runs(caller=Depends(current)):
    return people().runs


@app.get("/joined", response_model=list[Joined])
def joined(caller=Depends(current)):
    return people().joined
