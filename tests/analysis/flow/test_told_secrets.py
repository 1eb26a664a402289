"""A key passed to a call is reported at its literal, with the call as its use."""

from pathlib import Path

import pytest

from counterproof.analysis import flow
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, load_rules
from counterproof.analysis.source.survey import survey

SIGNS = (
    "const jwt = require('jsonwebtoken');\nconst { KEY } = require('./config');\nmodule.exports = (u) => jwt.sign({ u }, KEY);\n"
)
KEEPS = "// settings\nmodule.exports = { KEY: 'seven horses in a row' };\n"


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"sign.js": SIGNS, "config.js": KEEPS}, "config.js:2"),
        ({"sign.js": SIGNS, "config.js": KEEPS, "other.js": KEEPS}, "sign.js:3"),
        ({"sign.js": SIGNS.replace("const { KEY } = require('./config')", "const KEY = 'seven horses in a row'")}, "sign.js:2"),
    ],
    ids=["another-file", "two-files", "the-same-file"],
)
def test_key_is_reported_at_its_only_literal(tmp_path: Path, files: dict[str, str], place: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    rules = tuple(each.rule for each in load_rules() if isinstance(each.rule, CallRule))
    found = flow.examine(project, rules, other_entry_points(project)).findings
    assert [str(each.location) for each in found if each.rule == "javascript-static-key"] == [place]
