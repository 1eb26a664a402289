"""What shows that somebody should be asked (A55): an address for administrators, most others, or only that people are known."""

from pathlib import Path

from control_cases import Examine

from counterproof.analysis import control
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.finding import Finding
from counterproof.model.proof import Guess, Part

GUARDED = """
@app.put("/orders/<int:order_id>")
@login_required
def change(order_id):
    db().execute("UPDATE orders SET paid = 1 WHERE id = ?", (order_id,))
    return "ok"

@app.post("/notes")
@login_required
def note():
    db().execute("INSERT INTO notes (t) VALUES (?)", (request.form["t"],))
    return "ok"

@app.post("/tags")
@login_required
def tag():
    db().execute("INSERT INTO tags (t) VALUES (?)", (request.form["t"],))
    return "ok"
"""
WIPE = """
@app.post("/admin/prices")
def prices():
    db().execute("UPDATE prices SET price = ?", (request.form["price"],))
    return "ok"
"""
RENAME = """
@app.{method}("/shelves/<int:shelf>/name")
def rename(shelf):
    db().execute("UPDATE shelves SET name = ? WHERE id = ?", (request.form["name"], shelf))
    return "ok"
"""


def _of(findings: tuple[Finding, ...], function: str) -> Finding | None:
    return next((each for each in findings if each.function == function), None)


def _open(found: Finding | None) -> set[Guess]:
    assert found is not None
    assert found.proof is not None
    return {each.guess for each in found.proof.assumptions}


def test_an_address_for_administrators_leaves_nothing_open_beside_guarded_neighbours(examine: Examine) -> None:
    assert _open(_of(examine(GUARDED + WIPE).findings, "prices")) == set()


def test_admin_route_without_guarded_neighbours_is_not_reported(examine: Examine) -> None:
    assert _of(examine(WIPE).findings, "prices") is None


def test_who_asks_for_a_key_asks_somebody(examine: Examine) -> None:
    asking = WIPE.replace("    db()", '    if request.headers.get("X-Key") != KEY:\n        return "no"\n    db()')
    assert Guess.MEANT_OPEN in _open(_of(examine(GUARDED + asking).findings, "prices"))


def test_most_others_that_change_something_show_that_somebody_is_asked_here(examine: Examine) -> None:
    one = _of(examine(GUARDED + RENAME.format(method="patch")).findings, "rename")
    assert one is not None
    assert not one.posture
    assert Guess.UNSEEN_GUARD not in _open(one)


def test_where_nobody_has_an_account_nobody_is_missed(examine: Examine) -> None:
    assert _of(examine(RENAME.format(method="post")).findings, "rename") is None


def test_packages_of_one_repository_are_applications_of_their_own(tmp_path: Path) -> None:
    text = (
        "const app = require('express')();\nconst db = require('./db');\n"
        "app.post('/{path}', (req, res) => {{ db.run('UPDATE t SET a = 1'); res.end(); }});\n"
    )
    for name, path in (("shop", "login"), ("tool", "mark")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "package.json").write_text("{}", "utf-8")
        (tmp_path / name / "app.js").write_text(text.format(path=path), "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    found = control.examine(project, other_entry_points(project), ALL_DIMENSIONS).findings
    assert [each.rule for each in found if each.location.path.startswith("tool/")] == []


def test_handlers_that_speak_of_a_caller_whom_nobody_was_seen_to_ask_for_show_an_unseen_guard(tmp_path: Path) -> None:
    names = ("marks", "notes", "lists", "links")
    open_routes = "".join(
        f"app.post('/{each}', (req, res) => {{ db.run('UPDATE t SET a = ?', req.user.id); res.end(); }});\n" for each in names
    )
    text = (
        "const app = require('express')();\nconst db = require('./db');\n"
        "const asked = (req, res, next) => req.session.user ? next() : res.status(401).end();\n"
        "app.post('/pages', asked, (req, res) => { db.run('UPDATE t SET a = 1'); res.end(); });\n"
        "app.post('/rows', asked, (req, res) => { db.run('UPDATE t SET a = 1'); res.end(); });\n"
        "app.post('/admin/shelves', (req, res) => { db.run('UPDATE t SET a = 1'); res.end(); });\n"
    )
    found: list[list[str]] = []
    for known in ("", open_routes):
        (tmp_path / "app.js").write_text(text + known, "utf-8")
        project = Project(tmp_path, survey(tmp_path))
        findings = control.examine(project, other_entry_points(project), ALL_DIMENSIONS).findings
        found.append([each.function for each in findings if "its address is for administrators" in each.impact])
    assert [len(each) for each in found] == [1, 0]


def _administration(tmp_path: Path, guarded: int) -> list[Finding]:
    """Four routes of administrators in a file of their own, some of which ask, beside notes that ask."""
    names = ("prices", "vehicles", "trips", "zones")
    own = "".join(
        f"router.put('/{each}/:id', {'requireAdmin, ' if at < guarded else ''}(req, res) => {{\n"
        f"  db.run('UPDATE {each} SET a = ?', req.body.a);\n  res.end();\n}});\n"
        for at, each in enumerate(names)
    )
    own = "router.get('/list', (req, res) => {\n  res.json(everything(req));\n});\n" + own
    others = "".join(
        f"app.post('/{each}', requireLogin, (req, res) => {{\n  db.run('UPDATE t SET a = 1');\n  res.end();\n}});\n"
        for each in ("notes", "tags", "marks", "lists")
    )
    guards = (
        "const requireLogin = (req, res, next) => req.session.user ? next() : res.status(401).end();\n"
        "const requireAdmin = (req, res, next) => req.session.user.role === 'admin' ? next() : res.status(403).end();\n"
    )
    (tmp_path / "package.json").write_text("{}", "utf-8")
    (tmp_path / "admin.js").write_text(
        f"const router = require('express').Router();\nconst db = require('./db');\n{guards}{own}module.exports = router;\n",
        "utf-8",
    )
    (tmp_path / "app.js").write_text(
        f"const app = require('express')();\nconst db = require('./db');\n{guards}"
        f"{others}app.use('/api/admin', require('./admin'));\n",
        "utf-8",
    )
    project = Project(tmp_path, survey(tmp_path))
    found = control.examine(project, other_entry_points(project), ALL_DIMENSIONS).findings
    return [each for each in found if each.rule == "missing-authentication" and each.location.path == "admin.js"]


def test_a_file_in_which_nobody_is_asked_lacks_one_guard(tmp_path: Path) -> None:
    (one,) = _administration(tmp_path, guarded=0)
    assert len(one.also) == 4
    assert one.proof is not None
    assert any(each.part is Part.SINK for each in one.proof.links), "what changes something speaks for what only shows"


def test_beside_routes_of_the_same_file_that_ask_each_open_one_is_a_slip_of_its_own(tmp_path: Path) -> None:
    found = _administration(tmp_path, guarded=1)
    assert [each.also for each in found] == [(), (), (), ()]
