"""The company directory: who works here, and where to reach them."""

from flask import current_app
from ldap3 import SUBTREE, Connection, Server
from ldap3.utils.conv import escape_filter_chars

ATTRIBUTES = ["cn", "mail", "telephoneNumber", "departmentNumber"]


def _connect():
    server = Server(current_app.config["LDAP_URL"], connect_timeout=5)
    return Connection(server, current_app.config["LDAP_USER"], current_app.config["LDAP_PASSWORD"], auto_bind=True)


def _people(directory):
    return [entry.entry_attributes_as_dict for entry in directory.entries]


def find_person(name):
    """Staff with this login name."""
    with _connect() as directory:
        criteria = "(&(objectClass=person)(uid=" + name + "))"
        directory.search(current_app.config["LDAP_STAFF_BASE"], criteria, SUBTREE, attributes=ATTRIBUTES)
        return _people(directory)


def everybody():
    with _connect() as directory:
        directory.search(current_app.config["LDAP_STAFF_BASE"], "(objectClass=person)", SUBTREE, attributes=ATTRIBUTES)
        return _people(directory)


def find_department(number):
    """Staff of a department."""
    with _connect() as directory:
        criteria = f"(&(objectClass=person)(departmentNumber={escape_filter_chars(number)}))"
        directory.search(current_app.config["LDAP_STAFF_BASE"], criteria, SUBTREE, attributes=ATTRIBUTES)
        return _people(directory)
