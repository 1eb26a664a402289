from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi_utils.cbv import cbv
from pydantic import BaseModel
from sqlalchemy.orm import Session

from store import Dish, Person, connect

router = APIRouter()


class Allowed:
    def __init__(self, roles):
        self.roles = roles

    def __call__(self, person: Person = Depends(lambda: None)):
        if person.role not in self.roles:
            raise HTTPException(status_code=403)


def someone(token: str) -> Person:
    if not token:
        raise HTTPException(status_code=401)
    return Person(token)


class Change(BaseModel):
    name: str
    role: str


@router.put("/dishes")
def add_dish(name: str, db: Session = Depends(connect), allowed=Depends(Allowed(["cook"]))):  # ok: missing-role-check
    db.add(Dish(name=name))
    db.commit()


@router.put("/dishes/{number}")
def change_dish(number: int, db: Session = Depends(connect), allowed=Depends(Allowed(["cook"]))):  # ok: missing-role-check
    db.get(Dish, number).price = 1
    db.commit()


@router.delete("/dishes/{number}")
def drop_dish(number: int, who: Annotated[Person, Depends(someone)], db: Session = Depends(connect)):  # expect: missing-role-check
    db.delete(db.get(Dish, number))
    db.commit()


@router.put("/people/role")
def change_role(change: Change, who: Annotated[Person, Depends(someone)], db: Session = Depends(connect)):  # expect: missing-role-check
    if change.role == "owner":
        raise HTTPException(status_code=400)
    db.query(Person).filter(Person.name == change.name).first().role = change.role
    db.commit()


@router.put("/people/roles")
def change_roles(change: Change, who: Annotated[Person, Depends(someone)], db: Session = Depends(connect)):  # ok: missing-role-check
    if who.role != "owner":
        raise HTTPException(status_code=403)
    db.query(Person).filter(Person.name == change.name).first().role = change.role
    db.commit()


@router.post("/tables")
def book(number: int, who: Annotated[Person, Depends(someone)], db: Session = Depends(connect)):  # ok: missing-role-check
    db.add(Dish(name=str(number)))
    db.commit()


@router.delete("/tables/{number}")
def cancel(number: int, who: Annotated[Person, Depends(someone)], db: Session = Depends(connect)):  # ok: missing-role-check
    table = db.get(Dish, number)
    if who.role != "admin" and table.owner_id != who.id:
        raise HTTPException(status_code=403)
    db.delete(table)
    db.commit()


@router.put("/tables/{number}")
def move(number: int, who: Annotated[Person, Depends(someone)], db: Session = Depends(connect)):  # ok: missing-role-check
    table = db.get(Dish, number)
    if who.role != "admin" and table.owner_id != who.id:
        raise HTTPException(status_code=403)
    db.commit()


def admin_only(who: Annotated[Person, Depends(someone)]):
    if who.role != "admin":
        raise HTTPException(status_code=403)
    return who


class Administration:
    admin: Person = Depends(admin_only)


class Accounts:
    who: Person = Depends(someone)


@cbv(router)
class Backups(Administration):
    @router.delete("/admin/backups/{name}")
    def remove(self, name: str):  # ok: missing-role-check
        db.delete(name)


@cbv(router)
class Restores(Accounts):
    @router.delete("/admin/restores/{name}")
    def forget(self, name: str):  # expect: missing-role-check
        db.delete(name)


Administrator = Annotated[Person, Depends(admin_only)]


@router.delete("/admin/copies/{name}")
def drop_copy(name: str, who: Administrator):  # ok: missing-role-check
    db.delete(name)


@router.post("/device-roles")
def add_device_role(name: str, who: Annotated[Person, Depends(someone)], db: Session = Depends(connect)):  # ok: missing-role-check
    db.add(Dish(name=name))
    db.commit()


@router.post("/user-roles")
def add_user_role(name: str, who: Annotated[Person, Depends(someone)], db: Session = Depends(connect)):  # expect: missing-role-check
    db.add(Dish(name=name))
    db.commit()


def keeper(token: str) -> Person:
    person = Person(token)
    if person.role == "guest":
        raise HTTPException(status_code=403)
    return person


kept = APIRouter(prefix="/admin/stores", dependencies=[Depends(keeper)])
shared = APIRouter(prefix="/admin/shelves", dependencies=[Depends(someone)])


@kept.delete("/{name}")
def empty_store(name: str):  # ok: missing-role-check
    db.delete(name)


@shared.delete("/{name}")
def empty_shelf(name: str):  # expect: missing-role-check
    db.delete(name)
