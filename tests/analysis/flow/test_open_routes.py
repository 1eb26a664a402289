"""What a route that is open to everybody adds to severity (A40): the same for every harm; the harm makes the difference."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination
from counterproof.model.severity import Severity
from counterproof.protocols.audit.severity import calibrate

APP = """
import os, sqlite3, subprocess
from flask import Flask, request
app = Flask(__name__)

@app.get("/it")
def it():
    {body}
"""


@pytest.mark.rule("A40")
@pytest.mark.parametrize(
    ("rule", "body", "level"),
    [
        (
            "sql-injection",
            'return str(sqlite3.connect("d").execute("SELECT " + request.args["q"]).fetchall())',
            Severity.CRITICAL,
        ),
        ("command-injection", 'return subprocess.check_output(request.args["q"], shell=True)', Severity.CRITICAL),
        ("path-traversal", 'return open(os.path.join("files", request.args["q"])).read()', Severity.HIGH),
        ("xss", 'return "<p>" + request.args["q"] + "</p>"', Severity.MEDIUM),
    ],
    ids=["sql-injection", "command-injection", "path-traversal", "xss"],
)
def test_an_open_route_adds_the_same_to_every_harm(
    examine: Callable[..., Examination], rule: str, body: str, level: Severity
) -> None:
    found = next(each for each in examine(app=APP.format(body=body)).findings if each.rule == rule)
    counted = calibrate(found)
    assert counted.level is level
    points = {term.name: term.points for term in counted.terms}
    assert (points["reachability"], points["configuration"]) == (2, 0)
