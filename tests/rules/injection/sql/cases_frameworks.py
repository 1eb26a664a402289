import sqlalchemy as sa
import strawberry
from flask_sqlalchemy import SQLAlchemy
from sanic import Sanic
from sanic.response import json
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from .models import Note, engine

app = Sanic("notes")
db = SQLAlchemy()


@app.get("/find/<name>")
async def find(request, name):
    rows = await app.ctx.pool.fetch(f"SELECT * FROM note WHERE name = '{name}'")  # expect: sql-injection
    rows += await app.ctx.pool.fetch("SELECT * FROM note WHERE name = $1", name)  # ok: sql-injection
    return json(rows)


@app.get("/mapped/<name>")
async def mapped(request, name):
    with Session(engine) as session:
        session.execute(select(Note).where(Note.name.in_([name])))  # ok: sql-injection
        session.execute(sa.select(Note).order_by(text(name)))  # expect: sql-injection
        rows = db.session.execute(db.select(Note).where(db.text("name = '" + name + "'")))  # expect: sql-injection
    return json(rows.all())


@strawberry.type
class Query:
    @strawberry.field
    def note(self, name: str) -> str:
        with Session(engine) as session:
            return session.execute(text(f"SELECT body FROM note WHERE name = '{name}'")).scalar()  # expect: sql-injection

    @strawberry.field
    def safe(self, name: str) -> str:
        with Session(engine) as session:
            return session.execute(text("SELECT body FROM note WHERE name = :name"), {"name": name}).scalar()  # ok: sql-injection
