import hashlib
import re
from functools import wraps

from flask import Flask, request, session
from werkzeug.security import check_password_hash

app = Flask(__name__)


def limited(view):
    @wraps(view)
    def inner(*args):
        return view(*args)

    return inner


@app.route("/login", methods=["POST"])
def login():  # expect: login-limit
    user = find(request.form["name"])
    if user and check_password_hash(user.hash, request.form["password"]):
        session["user"] = user.id
    return "ok"


@app.route("/sign-in", methods=["POST"])
@limited
def sign_in():  # ok: login-limit
    user = find(request.form["name"])
    return str(check_password_hash(user.hash, request.form["password"]))


@app.route("/enter", methods=["POST"])
def enter():  # ok: login-limit
    user = find(request.form["name"])
    if user.failures > 5:
        return "locked"
    return str(check_password_hash(user.hash, request.form["password"]))


@app.route("/register", methods=["POST"])
def register():  # ok: login-limit
    return store(request.form["name"], request.form["password"])


@app.route("/key", methods=["POST"])
def key():  # expect: login-limit
    return issue(request.form["name"], request.form["password"])


def issue(name, password):
    user = find(name)
    return user.key if check_password_hash(user.hash, password) else None


@app.route("/token", methods=["POST"])
def token():  # expect: login-limit
    return str(User.query.filter_by(name=request.json["name"], password=request.json["password"]).first())


@app.route("/news", methods=["POST"])
def news():  # ok: login-limit
    return request.form["title"]


@app.route("/door", methods=["GET", "POST"])
def door():  # expect: login-limit
    if request.method == "GET":
        return "<form></form>"
    return opened(request, app)


def opened(request, app):
    name, password = request.form["name"], request.form["password"]
    query = f"SELECT id FROM user WHERE name = '{name}' AND password = '{password}'"
    return str(app.store.read(query))


@app.route("/login-by-link", methods=["GET"])
def login_by_link():  # expect: login-limit
    password = request.args.get("password")
    if password == "tulip-7":
        session["user"] = "guest"
    return "ok"


@app.route("/settings", methods=["POST"])
def settings():  # ok: login-limit
    return shown(request)


def shown(request):
    return request.form["colour"]


@app.route("/help", methods=["GET"])
def help_page():  # ok: login-limit
    topic = request.args.get("topic")
    password = topic == "password"
    return str(password)


@app.route("/gate", methods=["POST"])
def gate():  # expect: login-limit
    return str(query_db("SELECT id FROM user WHERE name = ? AND password = ?", (request.json["name"], request.json["password"])))


def query_db(statement, values):
    for _ in range(app.max_attempts):
        return app.pool.execute(statement, values)


@app.route("/welcome", methods=["POST"])
def welcome():  # ok: login-limit
    Account.objects.create_user(request.form["name"], request.form["password"])
    return str(authenticate(username=request.form["name"], password=request.form["password"]))


@app.route("/people", methods=["POST"])
def enrol():  # ok: login-limit
    password = request.json["password"]
    if not re.match(r"^[0-9A-Za-z]{8,}$", password):
        return "weak", 400
    app.store.put_row(f"INSERT INTO people (name, password) VALUES ('{request.json['name']}', '{hashed(password)}')")
    return "ok"


@app.route("/hatch", methods=["POST"])
def hatch():  # ok: login-limit
    person = query("SELECT * FROM people WHERE name = ?", (request.json["name"],))
    if person[3] > 5 or not check_password_hash(person[2], request.json["password"]):
        query("UPDATE people SET failed_logins = failed_logins + 1 WHERE name = ?", (request.json["name"],))
        return "no", 403
    return "ok"


@app.route("/porch", methods=["POST"])
def porch():  # expect: login-limit
    person = query("SELECT * FROM people WHERE name = ?", (request.json["name"],))
    if not check_password_hash(person[2], request.json["password"]):
        return {"failed_login": True}
    return {}


def password_for(name):
    return query("SELECT secret FROM people WHERE name = ?", (name,))[0]


@app.route("/cellar", methods=["POST"])
def cellar():  # expect: login-limit
    password = request.form["password"]
    wanted_password = password_for(request.form["name"])
    return "welcome" if password == wanted_password else "no"


@app.route("/attic", methods=["POST"])
def attic():  # expect: login-limit
    found = app.people.find_person(name=request.form["name"], password=hashed(request.form["password"]))
    return str(found is not None)


@app.route("/loft", methods=["POST"])
def loft():  # expect: login-limit
    for row in query("SELECT name, secret FROM people WHERE name = ?", (request.form["name"],)):
        if hashlib.sha256(request.form["password"].encode()).hexdigest() == row[1]:
            return "welcome"
    return "no"


@app.route("/lodge", methods=["POST"])
def lodge():  # expect: login-limit
    row = query("SELECT digest, salt FROM people WHERE name = ?", (request.json["name"],))
    tried = hashlib.sha256((row[1] + request.json["password"]).encode()).hexdigest()
    return "ok" if row[0] == tried else "no"


@app.route("/gatehouse", methods=["POST"])
def gatehouse():  # ok: login-limit
    kept = hashlib.sha256(request.json["password"].encode()).hexdigest()
    query("INSERT INTO people (name, password) VALUES (?, ?)", (request.json["name"], kept))
    return "ok"


@app.route("/setup", methods=["POST"])
def setup():  # ok: login-limit
    if request.form["password"] != request.form["password_again"]:
        return "no", 400
    user = User(name=request.form["name"])
    user.set_password(request.form["password"])
    return ""
