"""Whole reviews in real run folders: votes, pauses, resuming, deltas, tampering."""

import contextlib
import json
from pathlib import Path

import pytest

from analysis.review.changed_tree import changed, git, write
from counterproof.app import review, runs, stored_runs
from counterproof.app.delivery import Ended
from counterproof.app.recovery import Choices
from counterproof.cli.console import SilentObserver
from counterproof.knowledge.profiles import load_profile
from counterproof.model.errors import JournalError, UserError
from counterproof.model.receipt import Exit
from counterproof.model.review.position import DocumentVerdict
from counterproof.model.review.report import Change
from counterproof.model.review.scope import Scope
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.reports import review as review_reports
from counterproof.runtime.clock import WallClock
from counterproof.runtime.export import ExportedJournal
from counterproof.runtime.home import Home
from counterproof.runtime.journal import SqliteJournal

HEAD = (
    "import sqlite3\n\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n"
    '@app.route("/")\ndef find():\n    term = request.args["q"]\n'
)
SAFE = HEAD + '    return str(sqlite3.connect("d").execute("select ?", (term,)).fetchall())\n'
OPEN = HEAD + '    return str(sqlite3.connect("d").execute("select " + term).fetchall())\n'
CARELESS = "async def run(job):\n    return job\n\nrun(1)\n"


class User:
    """Gives the same answer for every scope; None means that no user is present."""

    def __init__(self, word: bool | None = True) -> None:
        self.word = word
        self.asked: list[tuple[Scope, tuple[str, ...]]] = []

    def confirms(self, scope: Scope, warnings: tuple[str, ...]) -> bool | None:
        self.asked.append((scope, warnings))
        return self.word


def request(folder: Path, profile: str = "code", only: tuple[str, ...] = (), **more: object) -> ReviewRequest:
    chosen = team(load_profile(profile), Preset.DEFAULT, only)
    return ReviewRequest(str(folder), chosen, **more)  # pyright: ignore[reportArgumentType]


def started(asked: ReviewRequest, user: User | None = None) -> Ended:
    return review.start(asked, user or User(), SilentObserver(), Home())


def labels(done: Ended) -> list[tuple[str, str, str]]:
    assert done.report
    return [(each.finding.id, str(each.finding.location), each.label) for each in done.report.resolved]


@pytest.mark.rule("F17")
def test_changed_files_are_reviewed_anew_in_the_same_run_if_the_user_says_so(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {}, {"job.py": CARELESS})
    paused = started(request(folder), User(None))
    (folder / "job.py").write_text("x = 1\n")
    with pytest.raises(JournalError, match="the files changed since"):
        review.resume(paused.run, User(), SilentObserver())
    done = review.resume(paused.run, User(), SilentObserver(), Choices(rerun_changed=True))
    assert done.report
    assert (done.report.resolved, done.outcome.exit) == ((), Exit.CLEAN)
    assert stored_runs.replayed(done.run).differing == ()


@pytest.mark.rule("F17")
def test_a_review_that_this_version_decides_otherwise_begins_anew_if_the_user_says_so(tmp_path: Path) -> None:
    paused = started(request(changed(tmp_path / "a", {}, {"job.py": CARELESS})), User(None))
    with contextlib.closing(SqliteJournal(paused.run, WallClock())) as journal:
        journal.append("marker", "[SCOPE] as another version would say it")
    with pytest.raises(JournalError, match="the program changed since"):
        review.resume(paused.run, User(), SilentObserver())
    done = review.resume(paused.run, User(), SilentObserver(), Choices(rerun_changed=True))
    assert labels(done) == [("CORR-001", "job.py:4", "Single specialist (1/5)")]


def test_findings_are_voted_on_by_a_second_way_of_looking(tmp_path: Path) -> None:
    done = started(request(changed(tmp_path / "a", {"app.py": SAFE}, {"app.py": OPEN, "job.py": CARELESS})))
    assert labels(done) == [("SEC-001", "app.py:11", "Consensus (2/5)"), ("CORR-001", "job.py:4", "Single specialist (1/5)")]
    assert done.outcome.exit is Exit.FINDINGS
    assert all((done.run.path / name).is_file() for name in review_reports.FILE_NAMES.values())
    receipt = json.loads((done.run.path / "receipt.json").read_text())
    assert (receipt["job"], receipt["exit"]) == ("review", "findings")


def test_one_specialist_alone_meets_the_devils_advocate(tmp_path: Path) -> None:
    done = started(request(changed(tmp_path / "a", {}, {"job.py": CARELESS}), only=("CORR",)))
    assert labels(done) == [("CORR-001", "job.py:4", "Single specialist")]


def test_nothing_to_say_is_clean(tmp_path: Path) -> None:
    done = started(request(changed(tmp_path / "a", {}, {"a.py": "x = 1\n"})))
    assert (done.outcome.exit, labels(done)) == (Exit.CLEAN, [])


def test_the_same_tree_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"app.py": SAFE}, {"app.py": OPEN, "job.py": CARELESS})
    one, two = started(request(folder)), started(request(folder))
    for name in review_reports.FILE_NAMES.values():
        assert (one.run.path / name).read_bytes() == (two.run.path / name).read_bytes()


@pytest.mark.rule("R4")
def test_without_anybody_to_ask_the_run_pauses_and_goes_on(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {}, {"job.py": CARELESS})
    paused = started(request(folder), User(None))
    assert (paused.outcome.exit, paused.report) == (Exit.PAUSED, None)
    user = User()
    done = review.resume(paused.run, user, SilentObserver())
    assert user.asked[0][0].paths == ("job.py",)
    assert labels(done) == [("CORR-001", "job.py:4", "Single specialist (1/5)")]
    assert labels(review.resume(paused.run, User(), SilentObserver())) == labels(done)


def test_a_run_does_not_go_on_with_other_files(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {}, {"job.py": CARELESS})
    paused = started(request(folder), User(None))
    write(folder, {"job.py": "x = 2\n"})
    with pytest.raises(JournalError, match="the files changed"):
        review.resume(paused.run, User(), SilentObserver())


@pytest.mark.rule("R4")
@pytest.mark.parametrize(
    ("after", "said"),
    [
        ({}, "nothing that can be reviewed has changed"),
        ({"logo.png": "\x89PNG\0\0"}, "nothing that can be reviewed has changed"),
    ],
)
def test_a_change_without_code_passes_with_a_report_that_says_so(tmp_path: Path, after: dict[str, str], said: str) -> None:
    folder = changed(tmp_path / "a", {"job.py": CARELESS}, after)
    done = started(request(folder))
    assert done.report is not None
    assert (done.outcome.exit, done.report.resolved) == (Exit.CLEAN, ())
    assert any(said in each for each in done.report.notes)


@pytest.mark.rule("R4")
def test_a_change_of_secrets_alone_is_refused(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"job.py": CARELESS}, {".env": "A=1\n"})
    done = started(request(folder))
    assert (done.outcome.exit, done.report) == (Exit.REFUSED, None)


def test_refusals_cost_nothing(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {}, {"job.py": CARELESS})
    refused = started(request(folder), User(False))
    assert (refused.outcome.exit, refused.report) == (Exit.REFUSED, None)
    runs = len(Home().runs())
    with pytest.raises(UserError, match="is not a commit"):
        started(request(folder, diff="nowhere"))
    assert len(Home().runs()) == runs
    assert (
        "no earlier review"
        in started(request(changed(tmp_path / "b", {}, {"a.py": "x = 1\n"}), delta=True)).outcome.reasons[0].text
    )


@pytest.mark.rule("R29")
def test_a_delta_lists_resolved_persisting_and_carried_over_findings(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {}, {"job.py": CARELESS, "other.py": CARELESS, "third.py": CARELESS})
    git(folder, "commit", "-qm", "all")
    first = started(request(folder, paths=("job.py", "other.py", "third.py")))
    assert len(labels(first)) == 3
    write(folder, {"job.py": "async def run(job):\n    return job\n", "other.py": "# a note\n" + CARELESS})
    done = started(request(folder, delta=True))
    assert done.report
    assert done.report.scope.paths == ("job.py", "other.py")
    assert [each.location.path for each in done.report.fixed] == ["job.py"]
    assert [each.location.path for each in done.report.carried] == ["third.py"]
    assert [kind for _, kind in done.report.changes] == [Change.PERSISTS]


@pytest.mark.rule("R29")
@pytest.mark.parametrize("name", sorted(review_reports.FILE_NAMES.values()))
def test_a_changed_report_is_refused_as_a_basis(tmp_path: Path, name: str) -> None:
    folder = changed(tmp_path / "a", {}, {"job.py": CARELESS})
    first = started(request(folder))
    file = first.run.path / name
    file.write_text(file.read_text().replace("job.py", "jab.py"))
    done = started(request(folder, delta=True))
    assert done.outcome.exit is Exit.REFUSED
    assert "does not match its hashes" in done.outcome.reasons[0].text


def test_a_document_gets_a_verdict(tmp_path: Path) -> None:
    filler = "This part says in many words what everybody in the room knew before it was written down for them. " * 6
    text = f"# Plan\n\n{filler}\nWe replace the login.\nPasswords are kept in a table, see [the code](app.py#L900).\n"
    folder = changed(tmp_path / "a", {}, {"plan.md": text, "app.py": OPEN})
    done = started(request(folder, "strategy"))
    assert done.report
    assert done.report.scope.paths == ("plan.md",)
    assert dict(done.report.verdicts)["plan.md"].rank >= DocumentVerdict.REVISE.rank
    assert [each.finding.kind for each in done.report.resolved] == ["contradicted by the repository"]


def test_nobody_approves_a_note_that_cites_a_missing_file_in_a_folder_without_code(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Sessions\n\nSessions end as [the design](./docs/sessions.md) says.\n")
    done = started(request(tmp_path, "strategy", paths=("note.md",)))
    assert done.report
    assert [each.finding.kind for each in done.report.resolved] == ["contradicted by the repository"]
    assert done.report.verdicts == (("note.md", DocumentVerdict.REVISE),)


def test_text_of_the_target_stays_inert_in_every_format(tmp_path: Path) -> None:
    hostile = "async def f(x):\n    return x\n\n\nf('](javascript:alert(1)) <script> \x1b[31m \u202e')\n"
    done = started(request(changed(tmp_path / "a", {}, {"a.py": hostile})))
    assert labels(done)
    for name in review_reports.FILE_NAMES.values():
        text = (done.run.path / name).read_text()
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_an_exported_review_is_decided_again_anywhere_and_annotates_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = changed(tmp_path / "a", {}, {"part/job.py": CARELESS, "part/app.py": OPEN})
    done = started(request(top))
    runs.export(done.run, tmp_path / "x.jsonl")
    again = stored_runs.replayed(ExportedJournal(tmp_path / "x.jsonl"))
    assert (again.name, again.differing, again.told) == (done.run.id, (), "with 2 findings")
    assert again.text("sarif") == stored_runs.text(done.run, "sarif")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    first, second = [line for line in stored_runs.text(done.run, "github").splitlines() if line.startswith("::")]
    assert first.startswith("::error file=a/part/app.py,line=11,endLine=11,title=SEC-001 ")
    assert second.startswith("::error file=a/part/job.py,line=4,")
