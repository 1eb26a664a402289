"""Vulnerable functions and their fixed twins, by the rule that finds them, with the effect that shows them."""

from counterproof.demonstration.templates import Effect

COMMAND = """
import subprocess

def f(name):
    return subprocess.run('ls ' + name, shell=True, capture_output=True).stdout
"""
COMMAND_FIXED = """
import subprocess

def f(name):
    return subprocess.run(['ls', '--', name], capture_output=True).stdout
"""
CODE = """
def f(text):
    return eval(text)
"""
CODE_FIXED = """
import ast

def f(text):
    return ast.literal_eval(text)
"""
READ = """
import os

def f(name):
    return open(os.path.join('/target/code/files', name)).read()
"""
READ_FIXED = READ.replace("files', name", "files', os.path.basename(name)")
WRITE = """
import os

def f(name):
    open(os.path.join('/tmp', name), 'w').close()
"""
WRITE_FIXED = WRITE.replace("tmp', name", "tmp', os.path.basename(name)")
REMOVE = """
import os

def f(name):
    os.remove(os.path.join('/target/code/files', name))
"""
REMOVE_FIXED = REMOVE.replace("files', name", "files', os.path.basename(name)")
FETCH = """
import urllib.request

def f(address):
    return urllib.request.urlopen(address, timeout=5).read()
"""
FETCH_FIXED = FETCH.replace(
    "    return", "    if not address.startswith('https://api.example/'):\n        raise ValueError('not ours')\n    return"
)
QUERY = """
import sqlite3

def f(name):
    base = sqlite3.connect(':memory:')
    base.execute('create table t (a)')
    base.execute("insert into t values ('x')")
    return base.execute("select a from t where a = '" + name + "'").fetchall()
"""
QUERY_FIXED = QUERY.replace('= \'" + name + "\'")', '= ?", (name,))')
COUNT = QUERY.replace(".fetchall()", ".fetchone() is None")
LOAD = """
import base64, pickle

def f(text):
    return pickle.loads(base64.b64decode(text))
"""
LOAD_FIXED = LOAD.replace("pickle", "json")
PATTERN = """
import re

def f(text):
    return bool(re.match(r'(a+)+$', text))
"""
PATTERN_FIXED = PATTERN.replace("(a+)+$", "a+$")

ANY_PATH = """
def f(path):
    with open(path) as file:
        return file.read()
"""
ANY_NEW_PATH = """
def f(path):
    open(path, 'w').close()
"""

TWINS = {
    "command": ("command-injection", Effect.MARK, COMMAND, COMMAND_FIXED),
    "code": ("code-injection", Effect.MARK, CODE, CODE_FIXED),
    "read": ("path-traversal", Effect.READ, READ, READ_FIXED),
    "write": ("path-traversal", Effect.MARK, WRITE, WRITE_FIXED),
    "remove": ("path-traversal", Effect.GONE, REMOVE, REMOVE_FIXED),
    "fetch": ("ssrf", Effect.HEARD, FETCH, FETCH_FIXED),
    "query": ("sql-injection", Effect.TRUTH, QUERY, QUERY_FIXED),
    "count": ("sql-injection", Effect.TRUTH, COUNT, QUERY_FIXED),
    "load": ("unsafe-deserialisation", Effect.MARK, LOAD, LOAD_FIXED),
    "pattern": ("regex-denial", Effect.SLOW, PATTERN, PATTERN_FIXED),
}
