"""What the control cases share: an application's head, and the shapes of the fixtures."""

from collections.abc import Callable

from counterproof.analysis.examination import Examination

Examine = Callable[..., Examination]
Found = Callable[[str], list[str]]

HEAD = """
import re
import sqlite3
from functools import wraps
from flask import Flask, abort, g, jsonify, redirect, request, session
app = Flask(__name__)

def db():
    return sqlite3.connect("x.db")

def login_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if "user_id" not in session:
            return redirect("/login")
        return view(*args, **kwargs)
    return guarded

def admin_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if session.get("role") != "admin":
            abort(403)
        return view(*args, **kwargs)
    return guarded
"""
