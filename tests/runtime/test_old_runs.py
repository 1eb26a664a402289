"""Runs that earlier versions wrote stay readable: their journals open and verify, their reports are shown and compared.

`old_runs/format-N` is a data folder as it was written by the first version with that format. Never make one anew: when the format
changes, add a folder beside it.
"""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from cli.command import counterproof, small_app
from counterproof.app.comparison import findings_of
from counterproof.app.machines import audit_machine
from counterproof.app.runs import verdict
from counterproof.app.stored_runs import report_of, stored
from counterproof.model.errors import JournalError
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import course

STORED = sorted((Path(__file__).parent / "old_runs").iterdir())


@pytest.fixture(params=STORED, ids=lambda folder: folder.name)
def old(request: pytest.FixtureRequest, home: Path) -> RunFolder:
    shutil.copytree(request.param, home)
    return Home().runs()[0]


def decided_otherwise(old: RunFolder) -> RunFolder:
    """The same run as left by a version with other decisions."""
    run = RunFolder(old.id, old.path.with_name("rewritten"))
    run.path.mkdir()
    for name in ("report.json", "report.md", "request.json"):
        shutil.copy(old.path / name, run.path / name)
    with (
        closing(SqliteJournal(old, WallClock(), writable=False)) as journal,
        closing(SqliteJournal.create(run, WallClock())) as other,
    ):
        for entry in journal.entries():
            other.append(entry.kind, entry.body.replace("[MODE] quick", "[MODE] swift"))
    return run


def test_an_old_journal_verifies_and_all_its_events_are_understood(old: RunFolder) -> None:
    found = verdict(old.id, Home())
    assert not found.damages
    receipt = json.loads((old.path / "receipt.json").read_text())
    assert (found.whole, found.head) == (receipt["journal"]["entries"], receipt["journal"]["head"])
    with closing(SqliteJournal(old, WallClock(), writable=False)) as journal:
        kinds = [audit_machine().decode(event.body).kind for event in course(journal).events]
    assert (kinds[0], kinds[-1]) == ("started", "report_written")


def test_an_old_report_is_shown_byte_for_byte(old: RunFolder) -> None:
    shown = counterproof("show", old.id)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout == (old.path / "report.md").read_text()


def test_a_report_outlives_the_version_that_decided_it(old: RunFolder) -> None:
    known = findings_of(old)  # before its head outside becomes the rewritten journal's
    run = decided_otherwise(old)
    with pytest.raises(JournalError, match="decides differently"):
        report_of(run)
    assert stored(run, "markdown") == (old.path / "report.md").read_text()
    assert findings_of(run) == known != ()
    (run.path / "report.json").write_text((run.path / "report.json").read_text() + " ")
    with pytest.raises(JournalError, match="was changed"):
        findings_of(run)


def test_a_new_run_can_be_held_against_an_old_one(old: RunFolder, tmp_path: Path) -> None:
    audited = counterproof("audit", str(small_app(tmp_path / "app")), "--mode", "quick", "--baseline", old.id, "--format", "json")
    report = json.loads(audited.stdout)
    assert {row["history"] for row in report["findings"]} == {"new"}
    assert len(report["fixed"]) == 1
