from databases import Database
from fastapi import FastAPI
from psycopg import sql as statements
from sqlalchemy import sql
from sqlmodel import text

app = FastAPI()
database = Database("postgresql://localhost/shop")


@app.get("/rows")
async def rows(name: str, limit: int):
    async for row in database.iterate(f"SELECT * FROM rows WHERE name = '{name}'"):  # expect: sql-injection
        print(row)
    await database.fetch_val("SELECT count(*) FROM rows WHERE name = :name", {"name": name})  # ok: sql-injection
    await database.fetch_val(f"SELECT count(*) FROM rows LIMIT {limit}")  # ok: sql-injection


@app.get("/through-module")
def through_module(order: str, session):
    session.execute(sql.text("SELECT * FROM rows ORDER BY " + order))  # expect: sql-injection
    session.execute(sql.text("SELECT * FROM rows WHERE id = :id"), {"id": order})  # ok: sql-injection


@app.get("/sqlmodel")
def with_sqlmodel(name: str, session):
    session.exec(text(f"SELECT * FROM rows WHERE name = '{name}'"))  # expect: sql-injection


@app.get("/composed")
def composed(table: str, cursor):
    cursor.execute(statements.SQL("SELECT * FROM " + table))  # expect: sql-injection
    cursor.execute(statements.SQL("SELECT * FROM {}").format(statements.Identifier(table)))  # ok: sql-injection


@app.get("/client")
def client(client, name: str):
    client.query(f"SELECT * FROM events WHERE name = '{name}'")  # expect: sql-injection
    client.query(f"the name of {name}")  # ok: sql-injection
