"""`counterproof demonstrate` as a user runs it (A66): the report, the journal, the script, a fixed tree."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import counterproof
from demonstration.here import needs_sandbox
from demonstration.test_web import SERVER, SERVER_FIXED

pytestmark = pytest.mark.rule("A66")

VULNERABLE = """
import subprocess


def convert(name, size=200):
    return subprocess.run(f"head -n {size} {name}", shell=True, capture_output=True)
"""
FIXED = VULNERABLE.replace('f"head -n {size} {name}", shell=True', '["head", "-n", str(size), "--", name]')
BROKEN = VULNERABLE.replace("    return", "    raise OSError(name)\n    return")


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    needs_sandbox()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "thumbs"
    folder.mkdir()
    (folder / "thumbs.py").write_text(VULNERABLE)
    (folder / "pyproject.toml").write_text('[project]\nname = "thumbs"\nversion = "1.0"\n')
    return folder


def audited(folder: Path) -> dict[str, dict[str, object]]:
    assert counterproof("audit", str(folder), "--mode", "quick", "--yes", "-q").returncode in (0, 1, 3)
    return findings(folder)


def findings(folder: Path) -> dict[str, dict[str, object]]:
    shown = json.loads(counterproof("show", "latest", "--format", "json", cwd=folder).stdout)
    return {row["finding"]["rule"]: row for row in shown["findings"]}


def test_a_shown_finding_is_demonstrated_in_every_report_and_the_journal_stays_whole(project: Path) -> None:
    before = audited(project)
    done = counterproof("demonstrate", cwd=project)
    assert done.returncode == 0, done.stderr
    assert "demonstrated: a file named only in the input was created" in done.stdout
    assert "namespaces" in done.stderr
    after = findings(project)
    row = after["command-injection"]
    assert row["confidence"] == "demonstrated"
    assert "touch" in str(row["finding"])
    assert [row["number"] for row in before.values()] == [row["number"] for row in after.values()]
    for form in ("markdown", "sarif", "html"):
        assert (
            "demonstrated: a file named only in the input was created"
            in counterproof("show", "latest", "--format", form, cwd=project).stdout
        )
    assert "confidence demonstrated" in counterproof("explain", str(row["number"]), cwd=project).stdout
    assert "byte for byte" in counterproof("replay", "latest", cwd=project).stdout
    assert "whole" in counterproof("log", "verify", "latest", cwd=project).stdout


def test_the_target_is_not_written(project: Path) -> None:
    audited(project)
    before = sorted((each.name, each.read_bytes()) for each in project.iterdir())
    counterproof("demonstrate", cwd=project)
    assert sorted((each.name, each.read_bytes()) for each in project.iterdir()) == before


def test_after_a_fix_it_no_longer_happens(project: Path) -> None:
    number = str(audited(project)["command-injection"]["number"])
    counterproof("demonstrate", number, cwd=project)
    (project / "thumbs.py").write_text(FIXED)
    done = counterproof("demonstrate", number, cwd=project)
    assert f"{number}  no longer happens" in done.stdout
    row = findings(project)["command-injection"]
    assert row["confidence"] == "demonstrated"
    assert any(str(word).startswith("no longer happens") for word in row["said"])


def test_a_patch_that_breaks_the_function_does_not_end_its_effect(project: Path) -> None:
    number = str(audited(project)["command-injection"]["number"])
    counterproof("demonstrate", number, cwd=project)
    (project / "thumbs.py").write_text(BROKEN)
    done = counterproof("demonstrate", number, cwd=project)
    assert f"{number}  could not tell" in done.stdout
    assert "a harmless input is answered with an error" in done.stdout


def test_a_fix_that_starts_a_program_which_is_not_installed_ends_the_effect(project: Path) -> None:
    absent = "import subprocess\n\n\ndef convert(name):\n    return subprocess.run({given}).args\n"
    (project / "thumbs.py").write_text(absent.format(given="'to-kml ' + name, shell=True"))
    number = str(audited(project)["command-injection"]["number"])
    counterproof("demonstrate", number, cwd=project)
    (project / "thumbs.py").write_text(absent.format(given="['to-kml', '--', name]"))
    assert f"{number}  no longer happens" in counterproof("demonstrate", number, cwd=project).stdout


def test_after_a_fix_a_web_request_no_longer_has_its_effect(project: Path) -> None:
    (project / "thumbs.py").write_text(SERVER)
    number = str(audited(project)["xss"]["number"])
    counterproof("demonstrate", number, cwd=project)
    assert f"{number}  demonstrated" in counterproof("demonstrate", number, cwd=project).stdout
    (project / "thumbs.py").write_text(SERVER_FIXED)
    assert f"{number}  no longer happens" in counterproof("demonstrate", number, cwd=project).stdout


@pytest.mark.parametrize("named", ["own", "absent"])
def test_a_relative_interpreter_is_found_from_the_current_folder(named: str, project: Path) -> None:
    (project / "own").symlink_to(sys.executable)
    number = str(audited(project)["command-injection"]["number"])
    done = counterproof("demonstrate", number, "--python", named, cwd=project)
    assert (done.returncode, f"{named} is not a working Python" in done.stdout) == (0, named == "absent"), done.stderr


@pytest.mark.nightly
def test_a_fixed_project_has_nothing_demonstrated_and_keeps_its_confidence(project: Path) -> None:
    before = audited(project)
    (project / "thumbs.py").write_text(FIXED)
    done = counterproof("demonstrate", cwd=project)
    assert "0 of" in done.stdout
    after = findings(project)
    assert {rule: row["confidence"] for rule, row in after.items()} == {rule: row["confidence"] for rule, row in before.items()}


def test_the_exported_script_shows_it_and_not_on_the_fixed_code(project: Path, tmp_path: Path) -> None:
    number = str(audited(project)["command-injection"]["number"])
    assert counterproof("demonstrate", number, "--export", str(tmp_path / "scripts"), cwd=project).returncode == 0
    script = tmp_path / "scripts" / f"{number}.py"
    run = subprocess.run((sys.executable, str(script)), cwd=project, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "demonstrated\n"), run.stderr
    named = re.findall(r"/tmp/counterproof-[\w-]+", script.read_text())
    assert named
    assert not any(Path(each).exists() for each in named)
    (project / "thumbs.py").write_text(FIXED)
    run = subprocess.run((sys.executable, str(script)), cwd=project, capture_output=True, text=True, check=False)
    assert run.returncode == 1


def test_audit_demonstrates_as_a_step(project: Path) -> None:
    done = counterproof("audit", str(project), "--mode", "quick", "--yes", "--demonstrate")
    assert done.returncode == 1
    assert "demonstrated: a file named only in the input" in done.stderr
    assert findings(project)["command-injection"]["confidence"] == "demonstrated"


def test_an_unknown_finding_and_another_kind_of_run_are_refused(project: Path) -> None:
    audited(project)
    done = counterproof("demonstrate", "C-99", cwd=project)
    assert done.returncode == 2
    assert "has no finding C-99" in done.stderr
