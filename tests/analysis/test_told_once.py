"""A weakness at one location is reported once, and not at all if its data was followed and is safe."""

from pathlib import Path

from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.families import examine
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language

CODE = """
import configparser
import os
from django.db import connection
from django.http import HttpRequest


def sent(request: HttpRequest):
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM t WHERE name = '" + request.GET["q"] + "'")


def fixed(request: HttpRequest):
    kept = configparser.ConfigParser()
    kept.add_section("a")
    kept.set("a", "title", "photo")
    kept.set("a", "other", request.GET["name"])
    title = kept.get("a", "title")
    os.system(f"convert {title}")


def converted(options):
    os.system(f"convert {options.name}")
"""


def test_data_flow_finding_is_not_repeated_by_a_check_rule(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(CODE)
    project = Project(tmp_path, survey(tmp_path))
    found = examine(project, tuple(entry_points(project)), (Dimension.D1,), Language.PYTHON).examination.findings
    assert sorted((each.location.start, each.cwe, each.flow is not None) for each in found) == [(10, 89, True), (23, 78, False)]


SESSION = """const express = require('express');
const session = require('express-session');
const app = express();
app.use(session({
  resave: false,
  rolling: true,
  secret: 'lily-of-the-valley',
}));
"""


def test_key_is_reported_at_its_use_and_shown_at_its_literal(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(SESSION)
    project = Project(tmp_path, survey(tmp_path))
    (found,) = examine(project, (), (Dimension.D7,), Language.JAVASCRIPT).examination.findings
    assert (found.rule, str(found.location)) == ("javascript-static-key", "app.js:4-8")
    assert found.evidence.startswith("secret:")
    assert found.proof is not None
    assert [str(link.fact) for link in found.proof.links] == ["literal at app.js:7", "call use at app.js:4"]


PATTERNS = """const express = require('express');
const app = express();
const KEPT = /^(a+)+$/;
const SENT = /^(b+)+$/;
const fixed = SENT.test('b');
app.get('/sent', (req, res) => {
  res.json(SENT.test(req.query.text));
});
exports.cut = (text) => text.length < 9 && text.split(KEPT);
"""


def test_a_pattern_is_told_where_request_data_meets_it_and_otherwise_where_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(PATTERNS)
    project = Project(tmp_path, survey(tmp_path))
    entries = tuple(other_entry_points(project))
    found = examine(project, entries, (Dimension.D9,), Language.JAVASCRIPT).examination.findings
    patterns = {each.location.start: each for each in found if each.cwe == 1333}
    assert {line: each.rule for line, each in patterns.items()} == {3: "javascript-backtracking", 7: "javascript-regex-denial"}
    assert patterns[3].proof is not None
    assert "read KEPT at app.js:9" in [str(link.fact) for link in patterns[3].proof.links]
