"""`counterproof review` as a user runs it."""

import json
from pathlib import Path

import pytest

from analysis.review.changed_tree import changed
from cli.command import counterproof

CARELESS = "async def run(job):\n    return job\n\nrun(1)\n"


def test_findings_an_exit_code_and_files(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {}, {"job.py": CARELESS})
    said = counterproof("review", "--diff", "--yes", "--out", str(tmp_path / "out"), cwd=folder)
    assert (said.returncode, said.stdout.splitlines()[0]) == (1, "FINDINGS  0 Critical, 1 Important, 0 Minor")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "receipt.json",
        "review-report.html",
        "review-report.json",
        "review-report.md",
        "review-report.sarif",
    ]
    sarif = json.loads((tmp_path / "out" / "review-report.sarif").read_text())
    assert [each["ruleId"] for each in sarif["runs"][0]["results"]] == ["coroutine-is-not-awaited"]
    end = [line for line in said.stdout.splitlines()[-4:] if not line.startswith("COST")]
    assert end[0] == "EXIT      1: 1 Critical or Important finding"
    assert end[1].endswith("; `counterproof explain CORR-001` shows more")
    assert end[2] == f"REPORT    {tmp_path / 'out' / 'review-report.html'} (and .md, .json, .sarif)"


def test_without_a_terminal_it_pauses_and_both_ways_of_resuming_go_on(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {}, {"job.py": CARELESS})
    assert counterproof("review", cwd=folder).returncode == 6
    assert counterproof("resume", "latest", "--yes", cwd=folder).returncode == 1
    done = counterproof("review", "--resume", "latest", "--format", "json", cwd=folder)
    assert (done.returncode, json.loads(done.stdout)["agreement"]) == (1, "No second reading")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--quick", "--thorough"), "cannot be combined"),
        (("--profile", "nobody"), "there is no profile"),
        (("--only", "NONE"), "has no NONE"),
        (("../elsewhere",), "is outside"),
        (("missing.py",), "is not there"),
        (("--diff", "nowhere"), "is not a commit"),
        (("job.py", "--resume", "latest"), "a resumed run already has its scope"),
        (("--format", "json", "--format", "sarif"), "only one format"),
    ],
)
def test_mistakes_end_in_a_sentence(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    said = counterproof("review", "--yes", *arguments, cwd=changed(tmp_path / "a", {}, {"job.py": CARELESS}))
    assert said.returncode == 2
    assert why in said.stderr
    assert "Traceback" not in said.stderr


def test_in_a_folder_of_documents_the_way_to_review_them_is_named(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("# Plan\n\nWe will do it.\n")
    said = counterproof("review", "--yes", "plan.md", cwd=tmp_path)
    assert (said.returncode, "--profile strategy" in said.stderr) == (2, True)
    said = counterproof("review", "--yes", "missing.md", cwd=tmp_path)
    assert (said.returncode, "missing.md is not there" in said.stderr) == (2, True)
