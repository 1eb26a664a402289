"""Calls that a package has fixed count only if an older version is declared."""

from pathlib import Path

import pytest

from counterproof.analysis import flow
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey

CODE = """const express = require('express');
const { merge } = require('lodash');
const app = express();
const settings = {};
app.post('/settings', (req, res) => {
  merge(settings, req.body);
  res.json(settings);
});
"""


def places(folder: Path, declared: str) -> list[int]:
    (folder / "app.js").write_text(CODE, "utf-8")
    (folder / "package.json").write_text(f'{{"name": "a", "private": true, "dependencies": {{"express": "4.18.2"{declared}}}}}')
    project = Project(folder, survey(folder))
    rules = tuple(each.rule for each in load_rules() if each.rule.id == "javascript-prototype-pollution")
    chosen = tuple(each for each in rules if isinstance(each, FlowRule))
    return [each.location.start for each in flow.examine(project, chosen, other_entry_points(project)).findings]


@pytest.mark.parametrize(
    "declared", ["", ', "lodash": "4.17.4"', ', "lodash": "^4.17.11"', ', "lodash": "latest"', ', "lodash": "*"']
)
def test_an_old_or_unknown_version_keeps_the_call(tmp_path: Path, declared: str) -> None:
    assert places(tmp_path, declared) == [6]


@pytest.mark.parametrize("declared", [', "lodash": "4.17.21"', ', "lodash": "^4.17.12"', ', "lodash": ">=4.18.0 <5.0.0"'])
def test_fixed_version_has_no_finding(tmp_path: Path, declared: str) -> None:
    assert places(tmp_path, declared) == []


def test_one_old_copy_among_several_keeps_the_call(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "package.json").write_text('{"name": "b", "private": true, "dependencies": {"lodash": "4.17.4"}}')
    assert places(tmp_path, ', "lodash": "4.17.21"') == [6]


QUERIES = """const express = require('express');
const mongoose = require('mongoose');
const User = mongoose.model('User', {});
const app = express();
app.get('/verify', async (req, res) => {
  res.json(await User.findOne({ token: req.query.token }));
});
app.post('/verify', async (req, res) => {
  res.json(await User.findOne({ token: req.body.token }));
});
app.get('/where', async (req, res) => {
  res.json(await User.find().$where("this.name === '" + req.query.name + "'"));
});
"""
EXTENDED = "app.set('query parser', 'extended');\n"


@pytest.mark.parametrize(
    ("version", "more", "found"),
    [("4.21.0", "", [6, 9, 12]), ("^5.1.0", "", [9, 12]), ("^5.1.0", EXTENDED, [6, 9, 12]), ("latest", "", [6, 9, 12])],
)
def test_a_query_holds_objects_only_as_it_is_read(tmp_path: Path, version: str, more: str, found: list[int]) -> None:
    (tmp_path / "app.js").write_text(QUERIES + more, "utf-8")
    (tmp_path / "package.json").write_text(f'{{"name": "a", "private": true, "dependencies": {{"express": "{version}"}}}}')
    project = Project(tmp_path, survey(tmp_path))
    rules = tuple(each.rule for each in load_rules() if each.rule.id == "javascript-nosql-injection")
    chosen = tuple(each for each in rules if isinstance(each, FlowRule))
    assert sorted(each.location.start for each in flow.examine(project, chosen, other_entry_points(project)).findings) == found
