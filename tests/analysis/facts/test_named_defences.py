"""Defences that somebody names against a command built from a request: confirmed only where they really stop it (A54)."""

from pathlib import Path
from textwrap import dedent

import pytest

from counterproof.analysis import facts
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Finding
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Impact, Rating, Reach, Severity

HEAD = """\
import os
import shlex
from flask import request, abort
f = os.system
NAMES = ('a', 'b')
def run():
    name = request.args['name']
"""


def finding_at(lines: list[str], path: str, cwe: int) -> Finding:
    """A flow from the line that reads the request to the line of the sink, through each line that names the value."""
    sink = next(number for number, line in enumerate(lines, 1) if "SINK" in line)
    source = next(number for number, line in enumerate(lines, 1) if "request." in line or "req." in line)
    steps = (
        FlowStep(at(path, source), StepKind.SOURCE, lines[source - 1]),
        FlowStep(at(path, sink), StepKind.SINK, lines[sink - 1]),
    )
    return Finding(
        "F001", "r", "t", Dimension.D1, cwe, Severity.HIGH, Confidence.HIGH, at(path, sink), lines[sink - 1], "i",
        Rating(Reach.ANONYMOUS, Impact.FULL), flow=Flow(steps),
    )  # fmt: skip


def verdict(folder: Path, path: str, source: str, symbol: str, operation: Operation, cwe: int = 78) -> str:
    (folder / path).write_text(source, "utf-8")
    lines = source.splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "DEFENCE" in text)
    return facts.refutes(
        Project(folder, survey(folder)), (), finding_at(lines, path, cwe), Fact(at(path, line), operation, symbol)
    )


CONFIRMED = {
    "conversion": ("    name = int(name)  # DEFENCE\n    f('ls ' + name)  # SINK\n", "int", Operation.CALL),
    "quoting": ("    safe = shlex.quote(name)  # DEFENCE\n    f('ls ' + safe)  # SINK\n", "shlex.quote", Operation.CALL),
    "in the sink": ("    f('ls ' + shlex.quote(name))  # SINK DEFENCE\n", "quote", Operation.CALL),
    "allow-list": (
        "    if name not in NAMES:  # DEFENCE\n        abort(400)\n    f(name)  # SINK\n",
        "name",
        Operation.BRANCH,
    ),
    "written out": (
        "    if name not in ('a', 'b'):  # DEFENCE\n        return ''\n    f(name)  # SINK\n",
        "name",
        Operation.BRANCH,
    ),
}
REFUSED = {
    "no such call": ("    safe = name  # DEFENCE\n    os.system(safe)  # SINK\n", "int", Operation.CALL),
    "another value": ("    number = int('3')  # DEFENCE\n    f(name)  # SINK\n", "int", Operation.CALL),
    "result unused": ("    safe = shlex.quote(name)  # DEFENCE\n    f(name)  # SINK\n", "shlex.quote", Operation.CALL),
    "in one branch": (
        "    if os.name:\n        name = shlex.quote(name)  # DEFENCE\n    f(name)  # SINK\n", "shlex.quote", Operation.CALL,
    ),
    "after the use": ("    f(name)  # SINK\n    name = int(name)  # DEFENCE\n", "int", Operation.CALL),
    "no defence here": ("    name = name.strip()  # DEFENCE\n    f(name)  # SINK\n", "strip", Operation.CALL),
    "only logs": ("    if name not in NAMES:  # DEFENCE\n        print(name)\n    f(name)  # SINK\n", "name", Operation.BRANCH),
    "open list": (
        "    names = request.args\n    if name not in names:  # DEFENCE\n        return ''\n    f(name)  # SINK\n",
        "name", Operation.BRANCH,
    ),
    "tests the other way": (
        "    if name in NAMES:  # DEFENCE\n        return ''\n    f(name)  # SINK\n", "name", Operation.BRANCH,
    ),
    "both must fail": (
        "    if name not in NAMES and os.name:  # DEFENCE\n        return ''\n    f(name)  # SINK\n", "name", Operation.BRANCH,
    ),
}  # fmt: skip


@pytest.mark.rule("A54")
@pytest.mark.parametrize("case", CONFIRMED)
def test_a_defence_that_stops_it_is_confirmed(tmp_path: Path, case: str) -> None:
    body, symbol, operation = CONFIRMED[case]
    assert verdict(tmp_path, "app.py", HEAD + body, symbol, operation)


@pytest.mark.rule("A54")
@pytest.mark.parametrize("case", REFUSED)
def test_a_defence_that_does_not_stop_it_is_refused(tmp_path: Path, case: str) -> None:
    body, symbol, operation = REFUSED[case]
    assert verdict(tmp_path, "app.py", HEAD + body, symbol, operation) == ""


@pytest.mark.rule("A54")
def test_a_defence_for_another_kind_of_sink_is_refused(tmp_path: Path) -> None:
    body, symbol, operation = CONFIRMED["quoting"]
    assert verdict(tmp_path, "app.py", HEAD + body, symbol, operation, cwe=89) == ""


@pytest.mark.rule("A54")
@pytest.mark.parametrize(
    ("own", "case"),
    [
        ("def int(x):\n    return x\n", "conversion"),
        ("from mine import shlex\n", "quoting"),
        ("shlex = object()\n", "quoting"),
        ("", "quoting"),
    ],
)
def test_a_function_that_only_has_the_name_is_refused(tmp_path: Path, own: str, case: str) -> None:
    """Defined here, imported from elsewhere, assigned, or shadowed by a module of the audited code."""
    if not own:
        (tmp_path / "shlex.py").write_text("def quote(x):\n    return x\n", "utf-8")
    body, symbol, operation = CONFIRMED[case]
    assert verdict(tmp_path, "app.py", own + HEAD + body, symbol, operation) == ""


@pytest.mark.rule("A54")
def test_scripts_are_read_the_same_way(tmp_path: Path) -> None:
    source = dedent("""\
        const { exec } = require('child_process');
        const ALLOWED = ['a', 'b'];
        function run(req, res) {
          const name = req.query.name;
          if (!ALLOWED.includes(name)) {  // DEFENCE
            return res.end();
          }
          exec(name);  // SINK
        }
    """)
    assert verdict(tmp_path, "app.js", source, "name", Operation.BRANCH)
    open_list = source.replace("['a', 'b']", "load()")
    assert verdict(tmp_path, "app.js", open_list, "name", Operation.BRANCH) == ""
