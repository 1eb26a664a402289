from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi_utils.cbv import cbv
from pydantic import BaseModel
from sqlalchemy import Column, Integer
from sqlalchemy.orm import DeclarativeBase, Session

import cases_people as models

router = APIRouter()


class Base(DeclarativeBase):
    pass


class Parcel(Base):
    __tablename__ = "parcels"
    id = Column(Integer, primary_key=True)
    owner_id = Column(Integer)


class Wanted(BaseModel):
    username: str
    street: str


class Roles:
    def __init__(self, roles):
        self.roles = roles

    def __call__(self, token: str):
        if token not in self.roles:
            raise HTTPException(status_code=403)


def current(token: str):
    if not token:
        raise HTTPException(status_code=401)
    return token


def opened():
    yield Session()


@router.get("/parcels/{number}")
def parcel(number: int, session: Session = Depends(opened), allowed=Depends(Roles(["customer"]))):
    return session.query(Parcel).filter(Parcel.id == number).first()  # expect: missing-ownership-check


@router.get("/parcels/own/{number}")
def own_parcel(number: int, who: Annotated[str, Depends(current)], session: Session = Depends(opened)):
    found = session.query(Parcel).filter(Parcel.id == number).first()  # ok: missing-ownership-check
    if found.owner_id != who:
        raise HTTPException(status_code=404)
    return found


@router.get("/parcels/all/{number}")
def any_parcel(number: int, session: Session = Depends(opened), allowed=Depends(Roles(["admin"]))):
    return session.query(Parcel).filter(Parcel.id == number).first()  # ok: missing-ownership-check


@router.put("/address")
def address(wanted: Wanted, user: Annotated[str, Depends(current)], session: Session = Depends(opened)):
    found = by_name(session, wanted.username)  # expect: missing-ownership-check
    found.street = wanted.street
    session.commit()
    return {}


def by_name(session: Session, name: str):
    return session.query(models.UserRecord).filter(models.UserRecord.name == name).first()


@router.get("/parcels/signed/{number}")
def signed(number: int, token: Annotated[str, Depends(current)], session: Session = Depends(opened)):
    return session.query(Parcel).filter(Parcel.id == number).first()  # expect: missing-ownership-check


Caller = Annotated[str, Depends(current)]


@router.get("/parcels/named/{number}")
def named_parcel(number: int, user: Caller, session: Session = Depends(opened)):
    return session.query(Parcel).filter(Parcel.id == number, Parcel.owner_id == user).first()  # ok: missing-ownership-check


class Kept:
    user: str = Depends(current)


@cbv(router)
class Parcels(Kept):
    @router.get("/kept/{number}")
    def own(self, number: int, session: Session = Depends(opened)):
        return session.query(Parcel).filter(Parcel.id == number, Parcel.owner_id == self.user).first()  # ok: missing-ownership-check

    @router.get("/kept/any/{number}")
    def other(self, number: int, session: Session = Depends(opened)):
        return session.query(Parcel).filter(Parcel.id == number).first()  # expect: missing-ownership-check


def check_admin(who: Annotated[str, Depends(current)]):
    if who not in ("root",):
        raise HTTPException(status_code=403)
    return who


administration = APIRouter(prefix="/manage", dependencies=[Depends(check_admin)])


@administration.get("/parcels/{number}")
def any_parcel(number: int, session: Session = Depends(opened)):
    return session.query(Parcel).filter(Parcel.id == number).first()  # ok: missing-ownership-check


@router.post("/parcels/new/{number}")
def free_number(number: int, wanted: Wanted, allowed=Depends(Roles(["customer"])), session: Session = Depends(opened)):
    found = session.query(Parcel).filter(Parcel.id == number).first()  # ok: missing-ownership-check
    if found:
        raise HTTPException(status_code=409)
    return {}


@router.delete("/parcels/gone/{number}")
def gone(number: int, allowed=Depends(Roles(["customer"])), session: Session = Depends(opened)):
    found = session.query(Parcel).filter(Parcel.id == number).delete()  # expect: missing-ownership-check
    if found:
        raise HTTPException(status_code=200)
    else:
        raise HTTPException(status_code=400)
