"""What a standard audit leaves and a deep one follows: A58."""

from pathlib import Path

import pytest

from counterproof.analysis import families, leftovers
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.analysis.validation import judge_finding
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.judgement import Verdict
from counterproof.model.leftover import Left, Leftover
from toolbox.tooling import a_repository, git

PYTHON = """
import sqlite3
from flask import Flask, request
app = Flask(__name__)
db = sqlite3.connect("x.db")

@app.post("/register")
def register():
    db.execute("INSERT INTO users (name) VALUES (?)", (request.form["name"],))
    return "", 204

@app.post("/reset")
def reset():
    user = db.execute("SELECT name FROM users WHERE id = ?", (int(request.form["id"]),)).fetchone()
    db.execute("DELETE FROM resets WHERE name = '" + user[0] + "'")
    return "", 204
"""

SCRIPT = """
const express = require('express');
const mysql = require('mysql2');
const app = express();
const db = mysql.createConnection({});

app.post('/register', (req, res) => {
  db.query('INSERT INTO users (name) VALUES (?)', [req.body.name]);
  res.end();
});

app.post('/reset', (req, res) => {
  db.query('SELECT name FROM users WHERE id = ?', [Number(req.body.id)], (error, rows) => {
    db.query(`DELETE FROM resets WHERE name = '${rows[0].name}'`);
    res.end();
  });
});
"""

PROMISED = """
const express = require('express');
const mysql = require('mysql2/promise');
const app = express();
const db = mysql.createPool({});

app.post('/register', async (req, res) => {
  await db.execute('INSERT INTO users (name) VALUES (?)', [req.body.name]);
  res.end();
});

app.post('/reset', async (req, res) => {
  const [rows] = await db.query('SELECT * FROM users WHERE id = ?', [Number(req.body.id)]);
  await db.query(`DELETE FROM resets WHERE name = '${rows[0].name}'`);
  res.end();
});
"""

MODELS = """
const express = require('express');
const mongoose = require('mongoose');
const { exec } = require('child_process');
const Job = mongoose.model('Job', new mongoose.Schema({ line: String }));
const app = express();

app.post('/jobs', async (req, res) => {
  await Job.create({ line: req.body.line });
  res.end();
});

app.get('/run', async (req, res) => {
  const jobs = await Job.find().lean();
  exec('run ' + jobs[0].line);
  res.end();
});
"""


def followed(root: Path, files: dict[str, str]) -> tuple[list[str], leftovers.Followed]:
    """The lines that a standard audit reports flows at, and what is left."""
    for name, text in files.items():
        (root / name).write_text(text, "utf-8")
    project = Project(root, survey(root))
    entries = (*entry_points(project), *other_entry_points(project))
    reported = families.flows(project, entries, ALL_DIMENSIONS).findings
    return [str(each.location) for each in reported], leftovers.follow(project, entries, ALL_DIMENSIONS, reported)


def answer(found: leftovers.Followed, kind: Left) -> Leftover:
    return next(each for each in found.leftovers if each.kind is kind)


@pytest.mark.rule("A58")
@pytest.mark.parametrize(
    ("name", "text", "sink"),
    [
        ("app.py", PYTHON, "DELETE FROM resets"),
        ("app.js", SCRIPT, "DELETE FROM resets"),
        ("app.js", PROMISED, "DELETE FROM resets"),
        ("app.js", MODELS, "exec('run"),
    ],
)
def test_what_one_request_stores_is_followed_to_where_another_uses_it(tmp_path: Path, name: str, text: str, sink: str) -> None:
    standard, found = followed(tmp_path, {name: text})
    line = next(number for number, each in enumerate(text.splitlines(), 1) if sink in each)
    assert f"{name}:{line}" not in standard
    assert [str(each.location) for each in found.findings] == [f"{name}:{line}"]
    assert answer(found, Left.STORES).found == 1


@pytest.mark.parametrize(
    ("name", "text", "change"),
    [
        ("app.py", PYTHON, ("INSERT INTO users (name)", "INSERT INTO others (name)")),
        ("app.py", PYTHON, ('request.form["name"]', "'fixed'")),
        (
            "app.py",
            PYTHON,
            ('"DELETE FROM resets WHERE name = \'" + user[0] + "\'"', '"DELETE FROM resets WHERE name = ?", user'),
        ),
        ("app.js", SCRIPT, ("INSERT INTO users (name)", "INSERT INTO users (mail)")),
        ("app.js", SCRIPT, ("[req.body.name]", "[Number(req.body.name)]")),
        (
            "app.js",
            SCRIPT,
            ("`DELETE FROM resets WHERE name = '${rows[0].name}'`", "'DELETE FROM resets WHERE name = ?', [rows[0].name]"),
        ),
        ("app.js", MODELS, ("Job.create({ line: req.body.line })", "Job.create({ owner: req.body.line })")),
    ],
)
def test_without_both_halves_nothing_is_found(tmp_path: Path, name: str, text: str, change: tuple[str, str]) -> None:
    assert change[0] in text
    _, found = followed(tmp_path, {name: text.replace(*change)})
    assert found.findings == ()


@pytest.mark.rule("A58")
def test_where_nothing_is_left_every_kind_says_why(tmp_path: Path) -> None:
    _, found = followed(tmp_path, {"app.py": "print('hello')\n"})
    assert found.findings == ()
    assert {each.kind for each in found.leftovers} == set(Left)
    assert all(each.met == 0 and each.why for each in found.leftovers)


@pytest.mark.rule("A58")
def test_a_secret_of_an_earlier_revision_is_found_without_being_shown(tmp_path: Path) -> None:
    secret = "k3J9x0QpL7vZs2Wf8Rt5Yb1N"
    (tmp_path / "settings.py").write_text(f'import os\n\nSECRET_KEY = "{secret}"\n', "utf-8")
    a_repository(tmp_path)
    now = 'import os\n\nDEBUG = False\nSECRET_KEY = os.environ["SECRET_KEY"]\n'
    (tmp_path / "settings.py").write_text(now, "utf-8")
    git(tmp_path, "commit", "-q", "-a", "-m", "second")
    _, found = followed(tmp_path, {})
    [finding] = found.findings
    assert (finding.rule, str(finding.location)) == ("hard-coded-key", "settings.py:4")
    assert secret not in repr(found)
    assert answer(found, Left.REVISIONS).met == 1
    (tmp_path / "settings.py").write_text(now + f'OLD_SECRET_KEY = "{secret}"\n', "utf-8")
    assert followed(tmp_path, {})[1].findings == ()


@pytest.mark.rule("A58")
@pytest.mark.parametrize(("name", "text"), [("app.py", PYTHON), ("app.js", SCRIPT)])
def test_validation_does_not_reject_a_flow_through_a_store(tmp_path: Path, name: str, text: str) -> None:
    [finding] = followed(tmp_path, {name: text})[1].findings
    project = Project(tmp_path, survey(tmp_path))
    entries = (*entry_points(project), *other_entry_points(project))
    assert judge_finding(project, entries, finding).judgement.verdict is not Verdict.REJECTED
