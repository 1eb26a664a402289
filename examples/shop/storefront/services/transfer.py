"""Orders and customers in and out: CSV, JSON and YAML."""

import csv
import io
import json

import yaml

from storefront.store import orders, users

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def customers_csv():
    """All customers, for the spreadsheet of the marketing team."""
    output = io.StringIO()
    writer = csv.writer(output)
    writer.writerow(["id", "email", "name", "phone", "address"])
    for row in users.all_customers():
        writer.writerow([row["id"], row["email"], row["name"], row["phone"], row["address"]])
    return output.getvalue()


def read_orders(stream):
    """Orders from the old shop, as its exporter wrote them."""
    document = yaml.load(stream, Loader=yaml.Loader)
    return [entry for entry in document.get("orders", []) if "user_id" in entry]


def import_orders(entries):
    """Write orders that were read; how many is returned."""
    written = 0
    for entry in entries:
        lines = [(int(line["product"]), int(line["quantity"]), int(line["cents"])) for line in entry["lines"]]
        total = sum(quantity * cents for _, quantity, cents in lines)
        if orders.place(int(entry["user_id"]), lines, total, str(entry.get("note", ""))):
            written += 1
    return written


def read_settings(stream):
    """Shop settings from a file that staff uploaded."""
    document = yaml.safe_load(stream)
    return document if isinstance(document, dict) else {}


def cell(value):
    text = str(value)
    return "'" + text if text.startswith(FORMULA_STARTS) else text


def orders_csv(first, last):
    """Orders of a period, for the accountant."""
    output = io.StringIO()
    writer = csv.writer(output)
    writer.writerow(["id", "status", "total", "note"])
    for row in orders.between(first, last):
        writer.writerow([row["id"], row["status"], row["total_cents"] / 100, cell(row["note"])])
    return output.getvalue()


def orders_json(user_id):
    """A customer's own orders, to take away."""
    return json.dumps([dict(row) for row in orders.history(user_id)], indent=2)
