import ast

from flask import Flask, request

app = Flask(__name__)


def value_of(setting):
    return eval(setting)  # expect: evaluated-text


def field(row):
    return eval(row["expression"])  # expect: evaluated-text


def filled(name):
    exec(f"import {name}")  # expect: evaluated-text


def literal(setting):
    return ast.literal_eval(setting)  # ok: evaluated-text


def fixed():
    return eval("1 + 1")  # ok: evaluated-text


def run_code(text):
    exec(text)  # ok: evaluated-text


def compiled(code):
    exec(code)  # ok: evaluated-text


@app.get("/sum")
def sum_of():
    terms = request.args["terms"]
    return str(eval(terms))  # ok: evaluated-text
