import ldap
import ldap3
from flask import Flask, request
from ldap3.utils.conv import escape_filter_chars

app = Flask(__name__)
GROUPS = ["staff", "guests"]


def connection():
    return ldap3.Connection(ldap3.Server("ldap.example"), auto_bind=True)


@app.route("/find")
def find():
    connection().search("ou=people", "(uid=" + request.args["user"] + ")")  # expect: ldap-injection
    return "done"


@app.route("/base/<unit>")
def base(unit):
    directory = connection()
    directory.search(f"ou={unit},dc=example", "(objectClass=person)")  # expect: ldap-injection
    return "done"


@app.route("/old")
def old():
    server = ldap.initialize("ldap://ldap.example")
    query = "(&(uid=%s)(cn=*))" % request.form["user"]
    return {"found": server.search_s("dc=example", ldap.SCOPE_SUBTREE, query)}  # expect: ldap-injection


@app.route("/keyword")
def keyword():
    connection().search(search_base="dc=example", search_filter=request.cookies["filter"])  # expect: ldap-injection
    return "done"


@app.route("/escaped")
def escaped():
    user = escape_filter_chars(request.args["user"])
    connection().search("ou=people", f"(uid={user})")  # ok: ldap-injection
    return "done"


@app.route("/escaped-old")
def escaped_old():
    server = ldap.initialize("ldap://ldap.example")
    query = "(uid=%s)" % ldap.filter.escape_filter_chars(request.form["user"])
    return {"found": server.search_s("dc=example", ldap.SCOPE_SUBTREE, query)}  # ok: ldap-injection


@app.route("/group")
def group():
    name = request.args["group"]
    if name not in GROUPS:
        raise ValueError(name)
    connection().search("ou=groups", "(cn=" + name + ")")  # ok: ldap-injection
    return "done"


@app.route("/attributes")
def attributes():
    connection().search("ou=people", "(uid=*)", attributes=request.args.getlist("attribute"))  # ok: ldap-injection
    return "done"
