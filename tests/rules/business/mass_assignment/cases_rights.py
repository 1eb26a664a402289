from functools import wraps

from flask import Flask, abort, g, request, session

from store import Person, save

app = Flask(__name__)


def known(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if "user_id" not in session:
            abort(401)
        return view(*args, **kwargs)

    return guarded


@app.put("/me")
@known
def change_me():
    person = Person.query.get(session["user_id"])
    person.street = request.json["street"]
    person.role = request.json.get("role")  # expect: mass-assignment
    save(person)
    return {}


@app.put("/people/<int:number>")
@known
def change(number):
    if not g.user.is_admin:
        abort(403)
    person = Person.query.get(number)
    person.role = request.json["role"]  # ok: mass-assignment
    save(person)
    return {}


@app.post("/people")
def enrol():
    person = Person(name=request.json["name"])
    person.role = "guest"  # ok: mass-assignment
    save(person)
    return {}
