"""Entries where nothing shows who may call them: what a deep audit tells and a standard one does not (A58)."""

from pathlib import Path

import pytest

from counterproof.analysis import leftovers
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.finding import Finding
from counterproof.model.proof import Guess

SCRIPT = """
const express = require('express');
const sqlite3 = require('sqlite3');
const app = express();
const db = new sqlite3.Database('x.db');

function checkAuth(req, res, next) {
  if (!req.cookies.token) { return res.status(401).end(); }
  next();
}

app.get('/wallets/:userId', checkAuth, (req, res) => {  // owner
  db.get('SELECT * FROM wallets WHERE user_id = ?', [req.params.userId], (error, row) => res.json(row));
});

app.get('/orders/:id', checkAuth, (req, res) => {
  db.get('SELECT * FROM orders WHERE id = ? AND owner = ?', [req.params.id, req.user.id], (error, row) => res.json(row));
});

app.get('/accounts/share/:shareId', checkAuth, (req, res) => {
  db.get('SELECT * FROM accounts WHERE share = ?', [req.params.shareId], (error, row) => res.json(row));
});

app.put('/tasks/:id', checkAuth, (req, res) => update(req, res));

app.post('/refill', (req, res) => {
  db.run('UPDATE users SET credit = credit + ?', [req.body.amount]);
  res.end();
});

app.post('/convert', (req, res) => {
  res.json({ length: req.body.text.length });
});

app.post('/webhook', (req, res) => {
  db.run('INSERT INTO events (text) VALUES (?)', [req.body.text]);
  res.end();
});

app.post('/login', (req, res) => {
  db.run('UPDATE users SET seen = 1 WHERE name = ?', [req.body.name]);
  res.end();
});
"""


def leads(root: Path, name: str, text: str) -> list[Finding]:
    (root / name).write_text(text, "utf-8")
    project = Project(root, survey(root))
    entries = (*entry_points(project), *other_entry_points(project))
    return list(leftovers.unguarded_entries(project, entries, ALL_DIMENSIONS, ())[0])


@pytest.mark.rule("A58")
@pytest.mark.parametrize(("name", "text"), [("app.js", SCRIPT)])
def test_entries_that_ask_nobody_are_told_where_they_change_or_show_what_is_somebodys(
    tmp_path: Path, name: str, text: str
) -> None:
    kinds = {"missing-ownership-check": "owner"}
    comment = "// "
    marked = {
        (number, line.rpartition(comment)[2])
        for number, line in enumerate(text.splitlines(), 1)
        if line.endswith(tuple(comment + each for each in kinds.values()))
    }
    assert {(each.location.start, kinds[each.rule]) for each in leads(tmp_path, name, text)} == marked


def test_a_lead_says_that_the_entry_may_be_open_on_purpose(tmp_path: Path) -> None:
    [lead] = leads(tmp_path, "app.js", SCRIPT)
    assert lead.proof is not None
    assert {Guess.MEANT_OPEN, Guess.OUTER_GUARD} <= {one.guess for one in lead.proof.assumptions}
    assert not lead.proof.whole


def test_a_handler_with_a_finding_about_access_gets_no_second_one(tmp_path: Path) -> None:
    [first] = leads(tmp_path, "app.js", SCRIPT)
    project = Project(tmp_path, survey(tmp_path))
    entries = other_entry_points(project)
    assert leftovers.unguarded_entries(project, entries, ALL_DIMENSIONS, (first,))[0] == ()
    assert leftovers.unguarded_entries(project, entries, (Dimension.D1,), ()) == ((), 0, "access was not asked for")
