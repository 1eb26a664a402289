"""`audit --since`: the revision that a change started from, audited beside the target and compared with it."""

import json
from pathlib import Path

import pytest

from cli.command import counterproof, small_app
from cli.test_comparing import git
from counterproof.analysis.git import History, open_history
from counterproof.analysis.git.checkout import check_out

ADDED = """

@app.route("/run")
def run():
    return str(eval(request.args["code"]))
"""


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A repository whose main line moved on after a branch left it; the branch adds one weakness."""
    folder = small_app(tmp_path / "app")
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "base")
    git(folder, "checkout", "-b", "feature")
    (folder / "app.py").write_text("# a note\n" + (folder / "app.py").read_text() + ADDED)
    git(folder, "commit", "-am", "run")
    git(folder, "checkout", "main")
    (folder / "app.py").write_text("")
    git(folder, "commit", "-am", "main went on without the application")
    git(folder, "checkout", "feature")
    return folder


def audited(target: Path, *more: str) -> tuple[int, dict[str, list[dict[str, object]]]]:
    result = counterproof("audit", str(target), "--mode", "quick", "--format", "json", *more)
    assert result.stdout, result.stderr
    return result.returncode, json.loads(result.stdout)


def test_only_findings_of_the_branch_are_new_and_fail_the_run(target: Path) -> None:
    code, report = audited(target, "--since", "main")
    assert code == 1
    fates = {str(row["finding"]["function"]): row["history"] for row in report["findings"]}  # type: ignore[index]
    assert fates == {"run": "new", "find": "persisting", "ping": "persisting"}
    assert report["fixed"] == []
    assert "Compared with main" in str(report["banners"][0])
    assert "1 file changed since" in str(report["banners"][0])
    git(target, "checkout", "-q", "HEAD~1")
    code, report = audited(target, "--since", "main")
    assert code == 0, "nothing is new where the branch began, and this time the base is known"


def test_another_route_to_an_old_weakness_is_new(tmp_path: Path) -> None:
    """The flow crosses files; the weak line itself stays as it was."""
    folder = small_app(tmp_path / "app")
    (folder / "tools.py").write_text("import subprocess\n\n\ndef ping(host):\n    subprocess.run('ping ' + host, shell=True)\n")
    text = "from flask import Flask, request\nfrom tools import ping\n\napp = Flask(__name__)\n\n\n"
    route = "@app.route('/{0}')\ndef {0}():\n    ping(request.args['{1}'])\n    return ''\n\n\n"
    (folder / "app.py").write_text(text + route.format("zeta", "host"))
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "base")
    (folder / "app.py").write_text(text + route.format("alpha", "name") + route.format("zeta", "host"))
    code, report = audited(folder, "--since", "HEAD")
    (row,) = report["findings"]
    assert row["finding"]["location"]["path"] == "tools.py"  # type: ignore[index]
    assert (code, row["history"]) == (1, "new")
    assert "worse by this change" in row["labels"]  # type: ignore[operator]


def test_a_guard_that_the_change_takes_away_makes_an_old_weakness_new(tmp_path: Path) -> None:
    folder = small_app(tmp_path / "app")
    guarded = """from flask import Flask, request
from flask_login import login_required

app = Flask(__name__)


@app.route("/run")
@login_required
def run():
    return str(eval(request.args["code"]))
"""
    (folder / "app.py").write_text(guarded)
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "base")
    (folder / "app.py").write_text(guarded.replace("@login_required\n", ""))
    code, report = audited(folder, "--since", "HEAD")
    (row,) = report["findings"]
    assert (code, row["history"]) == (1, "new")


def test_a_file_that_only_has_another_name_brings_nothing_new(target: Path) -> None:
    git(target, "checkout", "-q", "HEAD~1")
    git(target, "mv", "app.py", "main.py")
    code, report = audited(target, "--since", "HEAD")
    assert {row["history"] for row in report["findings"]} == {"persisting"}
    assert (code, report["fixed"]) == (0, [])


def test_a_file_that_git_does_not_know_counts_as_changed(target: Path) -> None:
    git(target, "checkout", "-q", "HEAD~1")
    (target / "extra.py").write_text("from flask import Flask, request\n\napp = Flask(__name__)\n" + ADDED)  # reached: it counts
    code, report = audited(target, "--since", "HEAD")
    assert code == 1
    assert [row["finding"]["location"]["path"] for row in report["findings"] if row["history"] == "new"] == ["extra.py"]  # type: ignore[index]


def test_a_revision_without_source_code_has_no_findings(target: Path) -> None:
    git(target, "checkout", "-q", "--orphan", "empty")
    git(target, "rm", "-qrf", ".")
    (target / "README").write_text("soon\n")
    git(target, "add", ".")
    git(target, "commit", "-qm", "empty")
    git(target, "branch", "start")
    git(target, "checkout", "-q", "feature", "--", ".")
    code, report = audited(target, "--since", "start")
    assert code == 1
    assert {row["history"] for row in report["findings"]} == {"new"}
    assert any("start could not be audited" in str(each) for each in report["limitations"])


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--since", "nowhere"), "is not a commit"),
        (("--since", "main", "--baseline", "latest"), "give one of the two"),
        (("--since", "--upload-pack=x"), "is not a commit"),
    ],
)
def test_an_incomparable_revision_is_rejected_before_a_run_exists(
    target: Path, home: Path, more: tuple[str, ...], why: str
) -> None:
    refused = counterproof("audit", str(target), *more)
    assert refused.returncode == 2
    assert why in refused.stderr
    assert not (home / "runs").exists()


def test_a_folder_without_history_is_refused(tmp_path: Path) -> None:
    refused = counterproof("audit", str(small_app(tmp_path / "app")), "--since", "main")
    assert refused.returncode == 2
    assert "needs a repository" in refused.stderr


@pytest.mark.rule("X14")
def test_a_checkout_applies_nothing_of_the_repository_and_writes_no_link(target: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    git(target, "config", "filter.evil.smudge", f"touch {mark}")
    git(target, "config", "core.hooksPath", str(tmp_path))
    (target / ".gitattributes").write_text("* filter=evil ident export-ignore eol=crlf\n")
    (target / "ident.py").write_text("# $Id$\n")
    (target / "link.py").symlink_to("/etc/passwd")
    git(target, "-c", "filter.evil.clean=cat", "add", ".")
    git(target, "-c", "filter.evil.clean=cat", "commit", "-m", "traps")
    mark.unlink(missing_ok=True)
    history = open_history(target)
    assert isinstance(history, History)
    with history:
        assert history.head()
        done = check_out(history, history.head(), tmp_path / "out")
    assert (done.written, done.left_out) == (5, 0)
    assert (tmp_path / "out" / "ident.py").read_bytes() == b"# $Id$\n"
    assert not (tmp_path / "out" / "link.py").exists()
    assert not mark.exists()
