"""A pattern of the sender's does harm where it is run; one that is only made, or goes into what a store is asked, is a lead."""

from pathlib import Path

import pytest

from counterproof.analysis import flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.proof import Guess

HEAD = "const express = require('express');\nconst app = express();\nconst names = ['a'];\n"
PYTHON = "import re\nfrom flask import Flask, request\napp = Flask(__name__)\n\n\n@app.get('/')\ndef show():\n"


def assumed(folder: Path, name: str, code: str) -> set[Guess]:
    (folder / name).write_text(code, "utf-8")
    project = Project(folder, survey(folder))
    rules = tuple(each.rule for each in load_rules() if each.rule.id.endswith("regex-injection"))
    chosen = tuple(each for each in rules if isinstance(each, FlowRule))
    found = flow.examine(project, chosen, (*entry_points(project), *other_entry_points(project))).findings
    assert len(found) == 1
    assert found[0].proof is not None
    return {each.guess for each in found[0].proof.assumptions}


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    "body",
    [
        "db.find({ name: new RegExp(req.query.q) })",
        "const wanted = new RegExp(req.query.q, 'i');\n  const filter = {};\n  filter.$or = [{ name: wanted }, { url: wanted }]",
        "new RegExp(req.query.q)",
    ],
    ids=["asked-of-a-store", "by-name", "thrown-away"],
)
def test_a_pattern_that_nothing_here_runs_leaves_two_points_open(tmp_path: Path, body: str) -> None:
    code = f"{HEAD}app.get('/', (req, res) => {{\n  {body};\n  res.end();\n}});\n"
    assert assumed(tmp_path, "app.js", code) >= {Guess.UNKNOWN_USE, Guess.UNRESOLVED_CALL}


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    "body",
    [
        "res.json(new RegExp(req.query.q).test('a'))",
        "const wanted = new RegExp(req.query.q);\n  res.json(names.filter((each) => each.match(wanted)))",
        "const wanted = new RegExp(req.query.q);\n  db.find({ name: wanted });\n  res.json(wanted.exec('a'))",
        "search(new RegExp(req.query.q))",
    ],
    ids=["in-place", "by-name", "both", "given-to-a-function"],
)
def test_a_pattern_that_runs_or_may_run_here_is_proved(tmp_path: Path, body: str) -> None:
    code = f"{HEAD}app.get('/', (req, res) => {{\n  {body};\n  res.end();\n}});\n"
    assert Guess.UNKNOWN_USE not in assumed(tmp_path, "app.js", code)


@pytest.mark.rule("A55")
def test_in_python_too(tmp_path: Path) -> None:
    tried = (
        f"{PYTHON}    try:\n        re.compile(request.args['q'])\n    except re.error:\n        return 'no'\n    return 'yes'\n"
    )
    run = f"{PYTHON}    wanted = re.compile(request.args['q'])\n    return str(bool(wanted.match('a')))\n"
    assert Guess.UNKNOWN_USE in assumed(tmp_path, "app.py", tried)
    assert Guess.UNKNOWN_USE not in assumed(tmp_path, "app.py", run)
