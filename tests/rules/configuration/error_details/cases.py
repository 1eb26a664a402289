import logging
import sqlite3
import sys
import traceback

from django.core.management import BaseCommand
from flask import Flask, jsonify, render_template_string
from jsonschema import ValidationError, validate

app = Flask(__name__)


@app.route("/orders")
def orders():
    try:
        return jsonify(load())
    except Exception as error:
        return jsonify({"error": str(error)}), 500  # expect: error-details


@app.route("/invoices")
def invoices():
    try:
        return jsonify(load())
    except sqlite3.OperationalError as error:  # ok: error-details
        logging.exception("invoices: %s", error)
        return jsonify({"error": "internal error"}), 500


@app.route("/form")
def form():
    try:
        validate({}, {})
    except ValidationError as error:
        return jsonify({"error": error.message}), 400  # ok: error-details
    return ""


@app.route("/trace")
def trace():
    try:
        return load()
    except Exception:
        return traceback.format_exc(), 500  # expect: error-details


@app.route("/page")
def page():
    try:
        return load()
    except Exception as error:
        text = "<h1>%s</h1>" % error
        return render_template_string(text), 500  # expect: error-details


def command(path):
    try:
        return open(path).read()
    except OSError as error:  # ok: error-details
        print(error)
        return None


class Command(BaseCommand):
    def inspect(self, path):
        try:
            return {"size": len(open(path).read())}
        except OSError as error:
            return {"issue": str(error)}  # ok: error-details


@app.route("/frames")
def frames():
    try:
        return jsonify(load())
    except ValueError:
        return jsonify(traceback.format_exception(*sys.exc_info()))  # expect: error-details


@app.route("/parse", methods=["POST"])
def parse():
    try:
        return {"number": int(request.form["number"])}
    except ValueError as error:
        return jsonify(error=str(error)), 400  # expect: error-details
