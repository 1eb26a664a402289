"""Commands that explain what a run found, and compare runs."""

import json
import shutil
from pathlib import Path

import pytest

from cli.command import counterproof, small_app


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One finished audit, shared by tests that only read it or start from it."""
    folder = tmp_path_factory.mktemp("audited")
    target = small_app(folder / "app")
    made = counterproof("audit", "--mode", "quick", str(target), "--quiet", COUNTERPROOF_HOME=str(folder / "home"))
    assert made.returncode == 1, made.stderr
    return folder


@pytest.fixture
def audited(once: Path, home: Path, tmp_path: Path) -> Path:
    """A copy of the run in the test's own home, and of the audited folder."""
    shutil.copytree(once / "home", home)
    return Path(shutil.copytree(once / "app", tmp_path / "app"))


def test_a_finding_is_explained_with_flow_validation_and_arithmetic(audited: Path) -> None:
    result = counterproof("explain", "C-01")
    assert result.returncode == 0, result.stderr
    for part in ("Flow", "Validation", "Severity", "reachability", "How to fix it", "app.py:"):
        assert part in result.stdout
    fingerprint = next(line.split()[1] for line in result.stdout.splitlines() if line.startswith("fingerprint"))
    assert counterproof("explain", fingerprint[:8]).stdout == result.stdout


@pytest.mark.rule("R35")
def test_a_review_names_the_audits_finding_by_the_same_fingerprint_and_explains_its_votes(audited: Path) -> None:
    found = counterproof("explain", "C-01").stdout
    fingerprint = next(line.split()[1] for line in found.splitlines() if line.startswith("fingerprint"))
    assert counterproof("review", "--yes", "app.py", cwd=audited).returncode == 1
    result = counterproof("explain", fingerprint[:12], cwd=audited)
    assert result.returncode == 0, result.stderr
    for part in ("found by SEC", "Positions", "CORR agrees as Critical", "Vote", "Severity", "Guardrails", "(app.py:"):
        assert part in result.stdout
    assert counterproof("explain", result.stdout.split()[0].lower(), cwd=audited).stdout == result.stdout
    assert "no finding" in counterproof("explain", "SEC-999").stderr


def test_an_unknown_finding_is_a_clear_error(audited: Path) -> None:
    result = counterproof("explain", "C-99")
    assert result.returncode == 2
    assert "no finding" in result.stderr


def test_runs_are_compared_by_what_stays_the_same_when_lines_move(audited: Path) -> None:
    code = audited / "app.py"
    text = code.read_text().replace("import sqlite3", "\n\n\nimport sqlite3")
    code.write_text(text.replace('subprocess.run("ping -c 1 " + request.args["host"], shell=True', 'subprocess.run(["ping"]'))
    counterproof("audit", "--mode", "quick", str(audited), "--quiet")
    second, first = (line.split()[0] for line in counterproof("runs").stdout.splitlines()[:2])
    shown = counterproof("diff", first, second).stdout
    assert "New: 0" in shown
    assert "Persisting: 1" in shown
    assert "Fixed: 1" in shown


def test_rules_are_listed_and_documented() -> None:
    listed = counterproof("rules").stdout.splitlines()
    assert len(listed) > 30
    only = counterproof("rules", "--dimension", "D7").stdout.splitlines()
    assert only
    assert all(" D7 " in line for line in only)
    page = counterproof("rules", "show", "sql-injection").stdout
    for heading in ("## What it finds", "## Why it matters", "## What is safe", "## Limits"):
        assert heading in page
    unknown = counterproof("rules", "show", "nothing")
    assert unknown.returncode == 2
    assert "there is no rule nothing" in unknown.stderr


def test_a_baseline_tells_new_from_persisting_and_only_new_fails(audited: Path, tmp_path: Path) -> None:
    newest = counterproof("runs").stdout.split()[0]
    again = counterproof("audit", "--mode", "quick", str(audited), "--baseline", newest, "--fail-on", "low")
    assert again.returncode in (0, 3), again.stdout
    code = audited / "app.py"
    code.write_text(code.read_text() + '\n\n@app.route("/run")\ndef run():\n    return str(eval(request.args["code"]))\n')
    report = tmp_path / "report.json"
    report.write_text(counterproof("show", "latest", "--format", "json").stdout)
    third = counterproof("audit", "--mode", "quick", str(audited), "--baseline", str(report))
    assert third.returncode == 1, third.stdout
    assert "1 finding at or above high" in third.stdout


def test_an_accepted_finding_no_longer_fails_until_it_expires(audited: Path, tmp_path: Path) -> None:
    report = json.loads(counterproof("show", "latest", "--format", "json").stdout)
    for expires, code in (("2999-12-31", (0, 3)), ("2001-01-01", (1,))):
        file = tmp_path / "exceptions.toml"
        file.write_text(
            "".join(
                f'[[exception]]\nfingerprint = "{row["fingerprint"]}"\nreason = "known"\nauthor = "Ada"\nexpires = "{expires}"\n'
                for row in report["findings"]
            )
        )
        result = counterproof("audit", "--mode", "quick", str(audited), "--exceptions", str(file))
        assert result.returncode in code, result.stdout
    assert "expired on 2001-01-01" in counterproof("show", "latest").stdout


def test_the_reviewed_code_cannot_accept_its_own_findings(audited: Path) -> None:
    (audited / "exceptions.toml").write_text("")
    result = counterproof("audit", str(audited), "--exceptions", str(audited / "exceptions.toml"))
    assert result.returncode == 2
    assert "is in the reviewed code" in result.stderr
