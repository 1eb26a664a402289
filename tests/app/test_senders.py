"""Whether somebody is known who could send the value of a finding (A60)."""

from pathlib import Path

import pytest

from hostile.quick_audit import audited, plant

STORE = "const { exec } = require('child_process');\nexports.show = (name) => exec('ls ' + name);\n"
SERVED = "const app = require('express')();\napp.get('/', (req, res) => res.send('hello'));\napp.listen(80);\n"
PACKAGED = '{"name": "store", "version": "1.0.0", "main": "store.js"}'
LISTED = """import sqlite3
from flask import Flask, request, abort
app = Flask(__name__)
NAMES = ("a", "b")

@app.get("/")
def page():
    name = request.args.get("name")
    if name is not None:
        if name not in NAMES:
            REFUSE
    return str(sqlite3.connect("x").execute("select * from %s" % name))
"""


def confidences(root: Path, rule: str) -> list[str]:
    return [each["confidence"] for each in audited(root).report["findings"] if each["finding"]["rule"] == rule]


@pytest.mark.rule("A60")
@pytest.mark.parametrize(("more", "confidence"), [({}, "claimed"), ({"app.js": SERVED}, "suspected")])
def test_a_parameter_that_no_entry_point_reaches_is_suspected_in_a_service(
    tmp_path: Path, more: dict[str, str], confidence: str
) -> None:
    files = {"store.js": STORE, "package.json": PACKAGED, **more}
    root = plant(tmp_path / "code", {path: text.encode() for path, text in files.items()})
    assert confidences(root, "javascript-command-injection") == [confidence]


@pytest.mark.parametrize(("refuses", "found"), [("abort(404)", 0), ("print('no')", 1)])
def test_a_value_that_a_comparison_with_none_found_empty_is_harmless(tmp_path: Path, refuses: str, found: int) -> None:
    root = plant(tmp_path / "code", {"app.py": LISTED.replace("REFUSE", refuses).encode()})
    assert len(confidences(root, "sql-injection")) == found
