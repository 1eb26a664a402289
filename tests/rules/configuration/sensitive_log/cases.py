import logging
import sqlite3

from flask import Flask, request

app = Flask(__name__)
log = logging.getLogger(__name__)
journal = logging.getLogger("journal")
PASSWORD_FILE = "passwords.txt"


def connect(path):
    connection = sqlite3.connect(path)
    connection.set_trace_callback(print)  # expect: sensitive-log
    return connection


def quiet(path):
    connection = sqlite3.connect(path)
    connection.set_trace_callback(None)  # ok: sensitive-log
    return connection


@app.route("/login", methods=["POST"])
def login():
    user, password = request.form["user"], request.form["password"]
    print(f"login of {user} with {password}")  # expect: sensitive-log
    return "ok"


@app.route("/enter", methods=["POST"])
def enter():
    user, password = request.form["user"], request.form["password"]
    log.info("login of %s with a password of %d characters", user, len(password))  # ok: sensitive-log
    return str(bool(password))


@app.route("/body", methods=["POST"])
def body():
    app.logger.debug(request.get_json())  # expect: sensitive-log
    return request.get_json()["password"][:1]


@app.route("/search", methods=["POST"])
def search():
    app.logger.debug(request.form)  # ok: sensitive-log
    return "ok"


def settings(options):
    log.warning("no %s, so %s is used", PASSWORD_FILE, options.password_hash)  # ok: sensitive-log
    log.error("card %s", options.card_number)  # expect: sensitive-log
    log.error("password changed for %s", options.user)  # ok: sensitive-log


def main(password):
    print("found", password)  # ok: sensitive-log


@app.route("/token", methods=["POST"])
def token():
    return issued(request.form["user"], app.config["SIGN"])


@app.route("/find", methods=["POST"])
def find():
    name, password = request.form["user"], request.form["password"]
    statement = f"SELECT id FROM people WHERE name = '{name}' AND password = '{password}'"
    print("running", statement)  # expect: sensitive-log
    return statement[:6]


@app.route("/count", methods=["POST"])
def count():
    statement = f"SELECT COUNT(*) FROM people WHERE name = '{request.form['user']}'"
    print("running", statement)  # ok: sensitive-log
    return statement[:6]


@app.route("/seen")
def seen():
    pprint(dict(request.headers))  # expect: sensitive-log
    return "ok"


@app.route("/agent")
def agent():
    app.logger.info("from %s", request.headers.get("User-Agent"))  # ok: sensitive-log
    app.logger.info("%d headers", len(request.headers))  # ok: sensitive-log
    return "ok"


def popup(is_password, jwt_expire):
    logger.info(is_password)  # ok: sensitive-log
    logger.info(f"token expiration: {jwt_expire} minutes")  # ok: sensitive-log


def noted(password, name):
    journal.info("%s came with %s", name, password)  # expect: sensitive-log


def counted(name):
    journal.info("one more for %s", name)  # ok: sensitive-log


@app.route("/invite", methods=["POST"])
def invite():
    verification_code = app.codes.new(request.form["mail"])
    app.logger.info("invited %s with %s", request.form["mail"], verification_code)  # expect: sensitive-log
    app.logger.info("code of the answer %s", app.status_code)  # ok: sensitive-log
    return "sent"


@app.route("/forgot", methods=["POST"])
def forgot():
    reset_token = app.codes.new(request.form["mail"])
    print(f"https://example.org/reset?{reset_token}")  # expect: sensitive-log
    return "sent"


@app.route("/forgotten", methods=["POST"])
def forgotten():
    reset_token_expired = app.codes.old(request.form["mail"])
    print("too old:", reset_token_expired)  # ok: sensitive-log
    return "sent"


def started(logger, pin_threads, card_pin):
    logger.info("%s pins", pin_threads)  # ok: sensitive-log


def paid(logger, card_pin):
    logger.info("paid with %s", card_pin)  # expect: sensitive-log


@app.route("/pages")
def pages():
    text = f"{text}{text}{request.args['page']}"  # a text that is put together of itself
    log.info(text)  # ok: sensitive-log
    return text
