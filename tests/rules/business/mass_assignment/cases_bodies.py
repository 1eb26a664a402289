from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request
from pydantic import BaseModel, ConfigDict
from sqlalchemy.orm import DeclarativeBase

from store import Person, connect

app = FastAPI()


class Strict(BaseModel):
    street: str
    town: str


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow")
    street: str


class Telling(Strict):
    is_admin: bool = False


def someone(token: str) -> Person:
    if not token:
        raise HTTPException(status_code=401)
    return Person(token)


@app.put("/loose")
def loose(body: Loose, person: Annotated[Person, Depends(someone)]):
    for name, value in body.model_dump().items():
        setattr(person, name, value)  # expect: mass-assignment


@app.put("/telling")
def telling(body: Telling, person: Annotated[Person, Depends(someone)]):
    for name, value in vars(body).items():
        setattr(person, name, value)  # expect: mass-assignment


@app.put("/strict")
def strict(body: Strict, person: Annotated[Person, Depends(someone)]):
    for name, value in body.model_dump(exclude_unset=True).items():
        setattr(person, name, value)  # ok: mass-assignment


@app.put("/dictionary")
async def dictionary(request: Request, person: Annotated[Person, Depends(someone)]):
    person.__dict__.update(await request.json())  # expect: mass-assignment


@app.put("/cache")
def cache(town: str, known: dict):
    known.update({"town": town})  # ok: mass-assignment


class Stored(DeclarativeBase):
    pass


class Address(Stored):
    __tablename__ = "address"


class Account(Stored):
    __tablename__ = "account"


class Active(Strict):
    is_active: bool = True


@app.post("/address")
def address(body: Strict, person: Annotated[Person, Depends(someone)]):
    connect().add(Address(**body.model_dump()))  # ok: mass-assignment


@app.post("/active")
def active(body: Active, person: Annotated[Person, Depends(someone)]):
    connect().add(Address(**body.model_dump()))  # ok: mass-assignment
    connect().add(Account(**body.model_dump()))  # expect: mass-assignment


@app.post("/checked")
def checked(body: Strict, person: Annotated[Person, Depends(someone)]):
    return Telling(**body.model_dump())  # ok: mass-assignment


@app.put("/dumped")
def dumped(body: Telling, person: Annotated[Person, Depends(someone)]):
    changes = body.model_dump(exclude_unset=True)
    for name, value in changes.items():
        if hasattr(person, name):
            setattr(person, name, value)  # expect: mass-assignment


@app.put("/dumped-strictly")
def dumped_strictly(body: Strict, person: Annotated[Person, Depends(someone)]):
    changes = body.model_dump(exclude_unset=True)
    for name, value in changes.items():
        setattr(person, name, value)  # ok: mass-assignment
