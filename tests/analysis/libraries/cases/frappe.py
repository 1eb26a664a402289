import os

import frappe


@frappe.whitelist(allow_guest=True)
def convert(name):  # route: json-rpc convert
    os.system("convert " + name)  # expect: command-injection


@frappe.whitelist()
def listed(name):  # route: json-rpc listed
    return frappe.get_list("Course", {"name": name})


def inner(name):
    os.system("convert " + name)  # ok: command-injection
