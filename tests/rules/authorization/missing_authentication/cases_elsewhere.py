from flask import Flask, abort, session

parts = Flask(__name__)


@parts.get("/admin/people")
def people():  # expect: missing-authentication
    return {"people": everyone()}


@parts.get("/admin/login")
def enter():  # ok: missing-authentication
    return "<form></form>"


@parts.get("/invoices/<int:number>")
def invoice(number):  # ok: missing-authentication
    if "user" not in session:
        abort(401)
    return one_invoice(number)


@parts.get("/invoices")
def invoices():  # ok: missing-authentication
    if "user" not in session:
        abort(401)
    return all_invoices("SELECT total FROM invoice WHERE user_id = ?")


@parts.get("/partners/invoices")
def for_partners():  # expect: missing-authentication
    return all_invoices("SELECT total FROM invoice WHERE owner = 1")


@parts.get("/weather")
def weather():  # ok: missing-authentication
    return {}
