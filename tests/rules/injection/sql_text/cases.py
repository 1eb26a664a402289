from flask import Flask, request

app = Flask(__name__)


def by_name(cursor, name):
    cursor.execute("SELECT * FROM users WHERE name = '%s'" % name)  # expect: sql-text


def by_field(connection, user):
    statement = f"UPDATE users SET mail = '{user.mail}' WHERE id = 1"
    connection.execute(statement)  # expect: sql-text


def added(cursor, row):
    cursor.execute("INSERT INTO t (a) VALUES (" + row["title"] + ")")  # expect: sql-text


def bound(cursor, name):
    cursor.execute("SELECT * FROM users WHERE name = %s", (name,))  # ok: sql-text


def table(cursor, table):
    cursor.execute(f"SELECT * FROM {table}")  # ok: sql-text


def number(cursor, count: int):
    cursor.execute(f"SELECT * FROM users WHERE age = {count}")  # ok: sql-text


def other_text(log, name):
    log.execute(f"'{name}' was here")  # ok: sql-text


@app.get("/user")
def user():
    name = request.args["name"]
    return app.db.execute(f"SELECT * FROM users WHERE name = '{name}'")  # ok: sql-text


class KeyTransform:
    def as_sql(self, compiler, connection):
        left, params = compiler.compile(self.lhs)
        return "(%s -> '%s')" % (left, self.key_name), params  # expect: sql-text


class BoundKeyTransform:
    def as_sql(self, compiler, connection):
        left, params = compiler.compile(self.lhs)
        return "(%s -> %%s)" % left, [self.key_name, *params]  # ok: sql-text


class Search:
    _nearness = 0.5
    _found = ""

    def tune(self, cursor):
        cursor.execute(f"set nearness = {self._nearness}")  # ok: sql-text
        cursor.execute(f"set nearness = {self.given}")  # expect: sql-text


def restore_point(connection, name):
    connection.execute_scalar("SELECT pg_create_restore_point('{0}');".format(name))  # expect: sql-text
    return connection.execute_scalar("SELECT pg_create_restore_point(%s);", (name,))  # ok: sql-text


def filtered(cursor, owner, state):
    statement = "SELECT id FROM jobs"
    if owner:
        statement += " WHERE owner = '%s'" % owner  # expect: sql-text
    if state:
        statement += " AND state = %s"
    cursor.execute(statement, (state,))  # ok: sql-text


def narrowed(cursor, term):
    condition = f"WHERE title LIKE '%{term}%'"
    cursor.execute(f"SELECT id FROM books {condition} LIMIT 20")  # expect: sql-text


def sorted_by(cursor, ascending):
    direction = "ASC" if ascending else "DESC"
    cursor.execute(f"SELECT id FROM books ORDER BY id {direction}")  # ok: sql-text


def neighbours(session, person):
    session.run(f"MATCH (p:Person {{name: '{person}'}}) RETURN p")  # expect: sql-text
    return session.run("MATCH (p:Person {name: $name}) RETURN p", name=person)  # ok: sql-text


def document(database, shelf, key):
    return database.AQLQuery('RETURN DOCUMENT("{shelf}/{key}")'.format(shelf=shelf, key=key))  # expect: sql-text


def started(subprocess_like, name):
    subprocess_like.run(f"match '{name}'")  # ok: sql-text


def schema(cursor, place):
    statement = "SELECT version FROM server"
    cursor.execute(statement)  # ok: sql-text
    statement = "SELECT name FROM columns WHERE space = '{}'".format(place["space"])
    cursor.execute(statement)  # expect: sql-text


def estimated(self, cursor):
    cursor.execute("SELECT reltuples FROM pg_class WHERE relname = '%s'" % self.model._meta.db_table)  # ok: sql-text


def overdue(db, since):
    db.execute(f"SELECT id FROM payment WHERE time < {db.timestamp_now}")  # ok: sql-text
    db.execute(f"SELECT id FROM payment WHERE note = '{since.note}'")  # expect: sql-text


def made(self, db, zone):
    db.execute(f'CREATE DATABASE "{self.database}" OWNER "{self.user}"')  # ok: sql-text
    db.execute(f'SELECT 1 FROM place WHERE name = "{self.database}"')  # expect: sql-text
    db.execute("SET TIME ZONE '%s'" % zone.name.replace("'", "''"))  # ok: sql-text
    db.execute("SET TIME ZONE '%s'" % zone.name)  # expect: sql-text
