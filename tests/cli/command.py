"""Runs the real command in a process of its own, as a user would."""

import os
import subprocess
from functools import cache
from pathlib import Path

from cli.warm_program import WarmProgram


def counterproof(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    return _program().run(arguments, cwd or Path.cwd(), {**os.environ, **environment})


@cache
def _program() -> WarmProgram:
    return WarmProgram()


VULNERABLE = """
import sqlite3
import subprocess

from flask import Flask, request

app = Flask(__name__)


@app.route("/find")
def find():
    term = request.args["term"]
    rows = sqlite3.connect("shop.db").execute("SELECT * FROM product WHERE name = '" + term + "'")
    return {"rows": rows.fetchall()}


@app.route("/ping")
def ping():
    return subprocess.run("ping -c 1 " + request.args["host"], shell=True, capture_output=True).stdout
"""


def small_app(folder: Path, padding: int = 600) -> Path:
    """A project with two weaknesses, padded with harmless code to a chosen size."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "app.py").write_text(VULNERABLE)
    (folder / "requirements.txt").write_text("flask==3.1.0\n")
    lines = "\n".join(f"def helper_{number}(value):\n    return value + {number}\n" for number in range(padding // 2))
    (folder / "sums.py").write_text(lines)
    return folder
