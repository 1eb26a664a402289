from typing import Annotated

from fastapi import Depends, FastAPI
from pydantic import BaseModel
from sqlalchemy import Column, Integer, String, select
from sqlalchemy.orm import Session
from sqlmodel import SQLModel

from store import Base, connect, number_of

app = FastAPI()


class Member(Base):
    __tablename__ = "members"
    id = Column(Integer, primary_key=True)
    name = Column(String)
    password_hash = Column(String)


class Badge(SQLModel, table=True):
    id: int
    pin: str


class Room(Base):
    __tablename__ = "rooms"
    id = Column(Integer, primary_key=True)
    title = Column(String)


class Shown(BaseModel):
    id: int
    name: str


class Sent(BaseModel):
    name: str
    password: str


def member_of(db: Session, number: int):
    return db.query(Member).filter(Member.id == number).first()


def caller(db: Session = Depends(connect), number: int = Depends(number_of)):
    return db.get(Member, number)


@app.get("/members/{number}")
def member(number: int, db: Session = Depends(connect)):
    return member_of(db, number)  # expect: exposed-field


@app.get("/members")
def members(db: Session = Depends(connect)):
    found = db.execute(select(Member)).scalars().all()
    return {"members": found}  # expect: exposed-field


@app.get("/me")
def me(who: Annotated[Member, Depends(caller)]):
    return who  # expect: exposed-field


@app.get("/me/shown", response_model=Shown)
def me_shown(who: Annotated[Member, Depends(caller)]):
    return who  # ok: exposed-field


@app.get("/me/declared")
def me_declared(who: Annotated[Member, Depends(caller)]) -> Shown:
    return who  # ok: exposed-field


@app.get("/me/named")
def me_named(who: Annotated[Member, Depends(caller)]):
    return {"name": who.name}  # ok: exposed-field


@app.get("/badges/{number}")
async def badge(number: int, db=Depends(connect)):
    found = await db.get(Badge, number)
    return found  # expect: exposed-field


@app.get("/rooms")
def rooms(db: Session = Depends(connect)):
    return db.query(Room).all()  # ok: exposed-field


@app.post("/echo")
def echo(body: Sent):
    return Shown(id=1, name=body.name)  # ok: exposed-field


@app.get("/count")
def count(db: Session = Depends(connect)):
    return db.query(Member).count()  # ok: exposed-field
