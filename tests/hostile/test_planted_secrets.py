"""X17: secrets planted in every way that text carries them reach no prompt, no search, no report. Small here; the large run is
`benchmarks/redaction.py`."""

import subprocess
from pathlib import Path

import pytest

from counterproof import reports
from counterproof.analysis.secrets.outgoing_text import safe_quote
from counterproof.analysis.secrets.redaction import mark, redact
from counterproof.app import audit
from counterproof.app.standing import Standing
from counterproof.app.stored_runs import report_of
from counterproof.cli.console import SilentObserver
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime.home import Home
from hostile.planted_secrets import (
    CARRIERS,
    COMMIT,
    HELD_OUT,
    HUMAN,
    KINDS,
    SILENT,
    Carrier,
    Planted,
    planted,
    planted_keys,
    seen,
)
from toolbox.tooling import a_project, a_tree, tools_on

SEED = 7
RANDOM = tuple(kind for kind in KINDS if kind != HUMAN)
ALLOWED = 0.02
"""A share of what a person thought up, or that chance made look like a word, may pass: doubt has to end somewhere."""


def _share(items: list[Planted]) -> float:
    return sum(seen(each, redact(each.text)) for each in items) / len(items)


@pytest.mark.rule("X17")
@pytest.mark.parametrize("carriers", [CARRIERS, HELD_OUT], ids=["carriers", "others"])
def test_named_secrets_do_not_show(carriers: dict[str, tuple[str, Carrier]]) -> None:
    assert _share(list(planted(SEED, carriers))) <= ALLOWED


@pytest.mark.rule("X17")
def test_random_secrets_do_not_show_even_where_nothing_names_them() -> None:
    assert _share(list(planted(SEED, SILENT, RANDOM))) <= ALLOWED


@pytest.mark.rule("X17")
def test_no_line_of_a_private_key_shows() -> None:
    assert _share(list(planted_keys(SEED))) == 0


@pytest.mark.rule("X17")
def test_no_view_of_a_part_shows_what_the_whole_hides(tmp_path: Path) -> None:
    """Line by line, by search and in the history."""
    items = [each for each in planted(SEED, CARRIERS, (HUMAN,)) if not seen(each, redact(each.text))]
    files = {each.path: each.text for each in items if each.path != COMMIT}
    root = a_tree(tmp_path, files)
    _committed(root, [each for each in items if each.path == COMMIT])
    tools = tools_on(root)
    for each in [item for item in items if item.path != COMMIT][:20]:
        count = each.text.count("\n")
        shown = "\n".join(tools_on(root).read(each.path, line, line).lines[0].text for line in range(1, count + 1))
        assert not seen(each, shown), each
    letters = items[0].pieces[0]
    assert tools.grep(f"{letters[:4]}.*").hits == 0  # a pattern cannot ask for a secret letter by letter
    log = tools.git_log(limit=50)
    messages = " ".join(commit.subject for commit in log.commits)
    assert len(log.commits) > 1
    assert not any(seen(each, messages) for each in items if each.path == COMMIT)


def _committed(root: Path, items: list[Planted]) -> None:
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    for each in items:
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", each.text], check=True)


SINKS = """import sqlite3
from flask import Flask, request

app = Flask(__name__)


def open_shop(user, password):
    return sqlite3.connect("shop.db")


@app.route("/a")
def a():
    base = open_shop("bob", "{secret}")
    user, password = "bob", "{secret}"
    base.execute("SELECT * FROM t WHERE pin = '" + request.args["q"] + "'"); login("bob", "{secret}")
    base.execute("INSERT INTO users (name, password) VALUES ('" + request.args["n"] + "', '{secret}')")
    return "x"
"""


@pytest.mark.rule("X17")
@pytest.mark.parametrize("secret", ["Falcon8017_x", "letmein22"])
def test_no_report_holds_what_stands_beside_a_flow(tmp_path: Path, secret: str) -> None:
    root = a_tree(tmp_path, {"app.py": SINKS.replace("{secret}", secret)})
    finished = audit.start(AuditRequest(str(root)), Standing(), SilentObserver(), Home())
    report = report_of(finished.run)
    assert any(row.finding.flow for row in report.findings)
    shown = "".join(reports.render(report, name) for name in ("markdown", "html", "json", "sarif"))
    assert secret not in shown
    assert "‹secret:" in shown
    assert secret not in finished.run.journal.read_bytes().decode("utf-8", "replace")


@pytest.mark.rule("X17")
def test_a_mark_cannot_be_tried_against_likely_passwords(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = mark("hunter2")
    assert mark("hunter2") == here
    monkeypatch.setenv("COUNTERPROOF_HOME", str(tmp_path / "another"))
    assert mark("hunter2") != here


@pytest.mark.rule("X17")
@pytest.mark.parametrize("sign", ["'", '"'])
def test_a_quote_of_one_literal_hides_what_the_file_hides_over_several(tmp_path: Path, sign: str) -> None:
    """A key in two short literals on two lines: each is too short to be recognised alone, and is quoted without its context."""
    text = f"secret_key = (\n    {sign}Harbou{sign}\n    {sign}r6731!{sign}\n)\nother = 1\n"
    project = a_project(a_tree(tmp_path, {"keys.py": text}))
    for part in ("Harbou", "r6731!"):
        assert part not in safe_quote(project, "keys.py", f"{sign}{part}{sign}")
