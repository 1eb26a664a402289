"""Injected markup needs a victim that a link can bring there: none, if a token is sent only by scripts."""

from pathlib import Path

import pytest

from counterproof.analysis import flow
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey

CODE = """const express = require('express');
const jwt = require('jsonwebtoken');
const app = express();
function auth(req, res, next) {
  try {
    req.user = jwt.verify(req.headers.authorization, process.env.KEY);
  } catch (error) {
    return res.status(401).end();
  }
  next();
}
app.get('/things/:id', auth, (req, res) => {
  res.send(`No thing ${req.params.id}`);
});
"""
OPEN = "app.get('/open/:id', (req, res) => {\n  res.send(`No thing ${req.params.id}`);\n});\n"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (CODE, []),
        (CODE + OPEN, [16]),
        (CODE.replace("req.headers.authorization", "req.cookies.token"), [13]),
        (CODE + "app.use(require('express-session')({ secret: process.env.S }));\n", [13]),
        (CODE + "const options = { session: false };\n", []),
        (CODE + "window.sessionStorage.setItem('token', token);\n", []),
    ],
    ids=["header", "open", "cookie", "sessions", "no-sessions", "kept-by-the-page"],
)
def test_markup_behind_a_login_needs_what_browsers_send_along(tmp_path: Path, code: str, found: list[int]) -> None:
    (tmp_path / "app.js").write_text(code, "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    rules = tuple(each.rule for each in load_rules() if each.rule.id == "javascript-xss")
    chosen = tuple(each for each in rules if isinstance(each, FlowRule))
    assert [each.location.start for each in flow.examine(project, chosen, other_entry_points(project)).findings] == found


@pytest.mark.parametrize(
    ("sent", "found"),
    [("req.params", []), ("req.query", []), ("{ id: req.params.id }", []), ("req.params.id", [3]), ("'x' + req.query.a", [3])],
)
def test_an_object_is_sent_as_data(tmp_path: Path, sent: str, found: list[int]) -> None:
    code = f"const app = require('express')();\napp.get('/open/:id', (req, res) => {{\n  res.send({sent});\n}});\n"
    (tmp_path / "app.js").write_text(code, "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    chosen = tuple(each.rule for each in load_rules() if each.rule.id == "javascript-xss" and isinstance(each.rule, FlowRule))
    assert [each.location.start for each in flow.examine(project, chosen, other_entry_points(project)).findings] == found
