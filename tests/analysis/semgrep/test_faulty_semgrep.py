"""A Semgrep that is missing, broken, slow, talkative or lying: the scan says so and never raises (A31)."""

import json
import os
import time
from importlib import import_module
from pathlib import Path

import pytest

from analysis.semgrep.targets import EVAL, program, result, tree
from counterproof.analysis.confinement import level
from counterproof.analysis.semgrep import scan
from counterproof.model.baseline import Baseline, BaselineStatus


def scanned(tmp_path: Path, body: str, timeout: float = 30.0) -> Baseline:
    root, surveyed = tree(tmp_path / "target", {"app.py": EVAL})
    return scan(root, surveyed, program(tmp_path / "fake", body), timeout=timeout)


def printing(results: object = (), errors: object = (), **more: object) -> str:
    top = {"results": results, "errors": errors, "paths": {"scanned": ["app.py"]}, **more}
    return f"sys.stdout.write({json.dumps(top)!r})"


@pytest.mark.rule("A31")
def test_without_semgrep_the_scan_is_skipped_and_says_what_to_do(tmp_path: Path) -> None:
    root, surveyed = tree(tmp_path / "target", {"app.py": EVAL})
    found = scan(root, surveyed, None)
    assert found.reason == "not installed; `counterproof setup` installs it"


@pytest.mark.rule("A31")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sys.exit(0)", "not JSON"),
        ("print('[' * 100000)", "not JSON"),
        ("print('{}')", "lacks results"),
        ("print('[1, 2]')", "lacks results"),
        ("sys.stdout.buffer.write(bytes(range(256)))", "not JSON"),
        ("sys.stderr.write('fatal error: no luck\\ntrace\\n'); sys.exit(2)", "exit code 2: fatal error: no luck"),
        ("os.kill(os.getpid(), 9)", "exit code -9"),
        (printing(errors=[{"message": "bad rules", "level": "error"}]) + "; sys.exit(7)", "exit code 7: bad rules"),
    ],
)
def test_a_failure_is_a_status_with_a_reason(tmp_path: Path, body: str, said: str) -> None:
    found = scanned(tmp_path, body)
    assert found.status is BaselineStatus.SKIPPED
    assert said in found.reason


@pytest.mark.rule("A31")
def test_a_program_that_is_gone_is_a_status_too(tmp_path: Path) -> None:
    root, surveyed = tree(tmp_path / "target", {"app.py": EVAL})
    found = scan(root, surveyed, tmp_path / "missing" / "semgrep")
    assert found.status is BaselineStatus.SKIPPED
    assert "could not be started" in found.reason


@pytest.mark.rule("A31", "X16")
def test_a_scan_that_hangs_is_ended_in_time(tmp_path: Path) -> None:
    started = time.monotonic()
    found = scanned(tmp_path, "time.sleep(60)", timeout=1.0)
    assert found.reason == "it took longer than 1 seconds"
    assert time.monotonic() - started < 20


@pytest.mark.rule("X16")
def test_endless_output_is_cut(tmp_path: Path) -> None:
    found = scanned(tmp_path, "while True: sys.stdout.write('x' * 1000000)")
    assert found.status is BaselineStatus.SKIPPED
    assert "printed more than" in found.reason


def test_a_file_that_semgrep_passes_over_in_silence_is_named(tmp_path: Path) -> None:
    found = scanned(tmp_path, printing(paths={"scanned": []}))
    assert found.status is BaselineStatus.PARTIAL
    assert [(each.path, each.reason) for each in found.unparsed] == [("app.py", "Semgrep passed over it")]


def test_hits_of_a_scan_that_ended_badly_are_kept_as_partial(tmp_path: Path) -> None:
    found = scanned(tmp_path, printing([result("app.py")]) + "; sys.exit(2)")
    assert found.status is BaselineStatus.PARTIAL
    assert len(found.hits) == 1
    assert "exit code 2" in found.reason


def test_the_program_gets_an_environment_of_ours_and_an_offline_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEMGREP_APP_TOKEN", "token-of-the-user")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-user")
    body = """
words = [*sorted(os.environ), *sys.argv[1:]]
hits = [{"check_id": word, "path": "app.py", "start": {"line": 1}, "end": {"line": 1}} for word in words]
print(json.dumps({"results": hits, "errors": [], "paths": {"scanned": ["app.py"]}}))"""
    said = {hit.rule for hit in scanned(tmp_path, body).hits}
    assert "SEMGREP_APP_TOKEN" not in said
    assert "OPENAI_API_KEY" not in said
    assert {"SEMGREP_SETTINGS_FILE", "HOME"} <= said
    assert {"--metrics=off", "--disable-version-check", "--disable-nosem", "--no-git-ignore"} <= said
    assert not any(word.startswith("--config=") and not word.endswith(".yaml") for word in said)


@pytest.mark.rule("X15", "X17")
def test_the_program_cannot_read_beyond_the_copies(tmp_path: Path) -> None:
    if len(level().missing):
        pytest.skip(f"this kernel enforces less: {level()}")
    secret = tmp_path / "secret.txt"
    secret.write_text("canary")
    body = f"""
try:
    message = open({str(secret)!r}).read()
except OSError as error:
    message = "refused: " + error.strerror
print(json.dumps({{"results": [], "errors": [{{"message": message}}], "paths": {{"scanned": ["app.py"]}}}}))"""
    found = scanned(tmp_path, body)
    assert found.reason == "refused: Permission denied"


@pytest.mark.rule("X16")
def test_a_file_that_changed_since_the_survey_is_not_scanned_and_is_named(tmp_path: Path) -> None:
    root, surveyed = tree(tmp_path / "target", {"app.py": EVAL, "other.py": EVAL})
    (root / "other.py").write_text("changed = True\n")
    found = scan(root, surveyed, program(tmp_path / "fake", printing()))
    assert [(each.path, each.reason) for each in found.unparsed] == [("other.py", "changed since the survey")]


@pytest.mark.rule("X16")
def test_more_source_than_the_limit_is_left_out_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("counterproof.analysis.semgrep.staged_copies"), "MAX_TOTAL_BYTES", len(EVAL) + 1)
    root, surveyed = tree(tmp_path / "target", {"app.py": EVAL, "big.py": EVAL * 2})
    found = scan(root, surveyed, program(tmp_path / "fake", printing()))
    assert [each.path for each in found.unparsed] == ["big.py"]


def test_a_tree_without_code_of_a_known_language_is_skipped(tmp_path: Path) -> None:
    root, surveyed = tree(tmp_path / "target", {"app.py": EVAL})
    nothing = type(surveyed)(surveyed.name, (), (), 0, surveyed.digest)
    found = scan(root, nothing, program(tmp_path / "fake", "pass"))
    assert found.reason == "no file is in a language that its rules cover"


def test_no_copy_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    os.makedirs(tmp_path / "temporary")
    scanned(tmp_path, printing())
    assert list((tmp_path / "temporary").iterdir()) == []
