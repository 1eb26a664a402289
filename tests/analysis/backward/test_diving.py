"""The dive: deeper flows, and sinks that nobody reported."""

from dataclasses import replace
from pathlib import Path

import pytest
from backward_claims import HEAD, a_claim, written

from counterproof.analysis import backward
from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import OutOfTime, Project
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.flow import StepKind
from counterproof.model.location import at

TEXT = (
    HEAD
    + """
@app.route('/run')
def handler():
    command = 'ls ' + request.args['x']
    code = os.system(command)
    return {'code': code}
"""
)


@pytest.mark.rule("A34")
def test_a_sink_that_nobody_reported_becomes_a_finding(tmp_path: Path) -> None:
    project = written(tmp_path / "target", {"app.py": TEXT})
    found = backward.dive(project, entry_points(project), (), (), ALL_DIMENSIONS).findings
    assert [(each.rule, each.location.start) for each in found] == [("command-injection", 8)]
    assert found[0].evidence == project.line("app.py", 8)
    again = backward.dive(project, entry_points(project), found, (), ALL_DIMENSIONS)
    assert again.findings == ()


def test_a_checked_sink_is_no_finding_but_is_traced(tmp_path: Path) -> None:
    text = TEXT.replace("    code =", "    if request.args['x'] not in ('a',):\n        return {}\n    code =").replace(
        "'ls ' + request.args['x']", "'ls ' + str(int(request.args['x']))"
    )
    project = written(tmp_path / "target", {"app.py": text})
    dived = backward.dive(project, entry_points(project), (), (), ALL_DIMENSIONS)
    assert dived.findings == ()
    assert [trace.complete for trace in dived.traces if trace.kind == "shell"] == [True]


def test_where_a_complete_trace_disagrees_nothing_is_reported(tmp_path: Path) -> None:
    project = written(tmp_path / "target", {"app.py": TEXT})
    dived = backward.dive(project, entry_points(project), (), (), ALL_DIMENSIONS, (at("app.py", 8),))
    assert dived.findings == ()
    assert [each for each in dived.limitations if each.startswith("At app.py:8 the two methods disagree")]


def test_values_of_a_statement_are_no_statement_of_another_library(tmp_path: Path) -> None:
    text = (
        HEAD.replace("import os", "import os, sqlite3")
        + """
@app.route('/use')
def use():
    code = request.args['code']
    db = sqlite3.connect('shop.db')
    row = db.execute('SELECT * FROM coupons WHERE code = ?', (code,)).fetchone()
    used = row['used'] + 1
    db.execute('UPDATE coupons SET used = ? WHERE code = ?', (used, code))
    return {'used': used}
"""
    )
    project = written(tmp_path / "target", {"app.py": text})
    assert backward.dive(project, entry_points(project), (), (), ALL_DIMENSIONS).findings == ()


@pytest.mark.rule("A34")
def test_flows_start_at_the_route_and_go_on_past_the_sink(tmp_path: Path) -> None:
    project = written(tmp_path / "target", {"app.py": TEXT})
    entries = entry_points(project)
    found = backward.dive(project, entries, (), (), ALL_DIMENSIONS).findings
    flow = backward.dive(project, entries, found, (), ALL_DIMENSIONS).flows[0]
    assert found[0].flow is not None
    assert flow.depth > found[0].flow.depth
    assert "route" in flow.steps[0].code
    assert flow.steps[0].kind is StepKind.SOURCE
    assert any(step.kind is StepKind.SINK for step in flow.steps)
    assert "return" in flow.steps[-1].code


SERVER = """
const express = require("express");
const app = express();
app.use("/files", require("./routes"));
app.listen(1);
"""
ROUTES = """
const express = require("express");
const tools = require("./tools");
const { requireUser } = require("./guards");
const router = express.Router();
router.get("/list", requireUser, (req, res) => {
  const name = req.query.name;
  res.json(tools.listed(name));
});
router.get("/page", (req, res) => {
  res.render("page", { note: req.query.note });
});
module.exports = router;
"""
TOOLS = """
const { execSync } = require("child_process");
function listed(name) {
  const found = execSync("ls " + name);
  return found;
}
module.exports = { listed };
"""
GUARDS = """
function requireUser(req, res, next) {
  if (!req.session.userId) {
    return res.status(401).end();
  }
  next();
}
module.exports = { requireUser };
"""


def scripts(root: Path) -> Project:
    page = "<p><%- note %></p>\n"
    files = {"server.js": SERVER, "routes.js": ROUTES, "tools.js": TOOLS, "guards.js": GUARDS, "views/page.ejs": page}
    return written(root, files)


@pytest.mark.rule("A34")
def test_a_script_is_followed_from_the_mounted_router_through_guard_and_callers_past_the_sink(tmp_path: Path) -> None:
    project = scripts(tmp_path / "target")
    claim = a_claim(at("tools.js", 3), rule="javascript-command-injection")
    dived = backward.dive(project, other_entry_points(project), (claim,), (), ALL_DIMENSIONS)
    (flow,) = dived.flows
    assert [(str(step.location), step.kind.value) for step in flow.steps] == [
        ("server.js:3", "source"),
        ("routes.js:5", "guard"),
        ("guards.js:1", "guard"),
        ("routes.js:6", "assign"),
        ("routes.js:7", "assign"),
        ("tools.js:2", "call"),
        ("tools.js:3", "sink"),
        ("tools.js:4", "return"),
    ]
    assert all(step.code == project.line(step.location.path, step.location.start).strip() for step in flow.steps)
    assert {step.location.path for step in flow.steps} <= {*dived.files}
    assert [(trace.complete, trace.origin) for trace in dived.traces] == [(True, "request, query")]


def test_a_page_is_followed_to_the_call_that_renders_it(tmp_path: Path) -> None:
    project = scripts(tmp_path / "target")
    claim = a_claim(at("views/page.ejs", 1), 79, "javascript-xss")
    (flow,) = backward.dive(project, other_entry_points(project), (claim,), (), ALL_DIMENSIONS).flows
    assert [str(step.location) for step in flow.steps] == ["server.js:3", "routes.js:9", "routes.js:10", "views/page.ejs:1"]


def test_a_script_whose_sender_nobody_knows_gives_no_flow_and_a_broken_trace(tmp_path: Path) -> None:
    project = written(tmp_path / "target", {"tools.js": TOOLS})
    claim = a_claim(at("tools.js", 3), rule="javascript-command-injection")
    dived = backward.dive(project, (), (claim,), (), ALL_DIMENSIONS)
    assert dived.flows == ()
    assert [(trace.complete, trace.broken_by) for trace in dived.traces] == [(False, "who gives name is not known (tools.js:2)")]


def test_only_the_dimensions_of_the_task_are_looked_at(tmp_path: Path) -> None:
    project = written(tmp_path / "target", {"app.py": TEXT})
    assert backward.dive(project, entry_points(project), (), (), (Dimension.D7,)).findings == ()


def test_files_of_other_languages_are_not_claimed_as_read(tmp_path: Path) -> None:
    project = written(tmp_path / "target", {"app.py": TEXT, "page.js": "eval(location.hash)\n"})
    dived = backward.dive(project, entry_points(project), (), ("page.js",), ALL_DIMENSIONS)
    assert "page.js" not in dived.files
    assert any("1 unread" in sentence for sentence in dived.limitations)


def test_a_dive_that_runs_out_of_time_says_so(tmp_path: Path) -> None:
    whole = written(tmp_path / "target", {"app.py": TEXT})
    entries = entry_points(whole)
    calls = iter(range(1))

    def checkpoint() -> None:
        if next(calls, None) is None:
            raise OutOfTime("the time limit was reached")

    project = Project(whole.root, replace(whole.survey), checkpoint)
    dived = backward.dive(project, entries, (), (), ALL_DIMENSIONS)
    assert not dived.finished
    assert dived.limitations
