"""Mistakes and odd trees end in a sentence and an exit code, never in a traceback."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from cli.command import VULNERABLE, counterproof, small_app


def refused(result: object, says: str, code: int = 2) -> None:
    assert result.returncode == code, result.stderr  # type: ignore[attr-defined]
    assert says in result.stderr  # type: ignore[attr-defined]
    assert "Traceback" not in result.stderr  # type: ignore[attr-defined]


def test_no_such_path(tmp_path: Path, home: Path) -> None:
    refused(counterproof("audit", "--mode", "quick", str(tmp_path / "nowhere")), "there is no")
    assert not (home / "runs").exists() or not list((home / "runs").iterdir())


def test_a_file_instead_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(VULNERABLE)
    refused(counterproof("audit", "--mode", "quick", str(tmp_path / "app.py")), "is a file")


def test_an_empty_folder(tmp_path: Path, home: Path) -> None:
    (tmp_path / "empty").mkdir()
    refused(counterproof("audit", "--mode", "quick", str(tmp_path / "empty")), "empty")
    assert not list((home / "runs").iterdir())


def test_nothing_but_binaries(tmp_path: Path) -> None:
    folder = tmp_path / "blobs"
    folder.mkdir()
    (folder / "a.bin").write_bytes(bytes(range(256)) * 10)
    refused(counterproof("audit", "--mode", "quick", str(folder)), "left out: 1 binary")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--only", "D11"], "no such dimension"),
        (["--only", ","], "no such dimension"),
        (["--mode", "thorough"], "thorough"),
        (["--fail-on", "severe"], "severe"),
        (["--format", "pdf"], "pdf"),
        (["--format", "json", "--format", "sarif"], "only one format"),
        (["--max-time", "-1"], "'--max-time': must be at least 0"),
        (["--mode", "turbo"], "'--mode': 'turbo' is not one of"),
        (["--out", "/dev/null/report"], "/dev/null is a file"),
    ],
)
def test_bad_options(tmp_path: Path, arguments: list[str], says: str) -> None:
    refused(counterproof("audit", "--mode", "quick", str(small_app(tmp_path / "app")), *arguments), says)


def test_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = counterproof(
        "audit", "--mode", "quick", str(small_app(tmp_path / "app")), COUNTERPROOF_HOME=str(tmp_path / "file" / "x")
    )
    refused(result, "cannot use")


def test_an_out_folder_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "out" / "report.md").mkdir(parents=True)  # seen only when the report is put there
    result = counterproof("audit", "--mode", "quick", str(small_app(tmp_path / "app")), "--out", str(tmp_path / "out"))
    refused(result, "counterproof show")
    assert counterproof("show", "latest").stdout.startswith("# ")


def test_unknown_runs(tmp_path: Path) -> None:
    for command in (["show", "zzz"], ["resume", "zzz"], ["replay", "zzz"], ["log", "verify", "zzz"]):
        refused(counterproof(*command), "there is no run")


def report(*arguments: str) -> dict[str, object]:
    result = counterproof("audit", *arguments, "--yes", "--format", "json", "--quiet")
    assert result.stdout, result.stderr
    return json.loads(result.stdout)


def test_odd_files_are_listed_and_the_rest_is_audited(tmp_path: Path) -> None:
    folder = small_app(tmp_path / "app")
    (folder / "broken.py").write_bytes(b"name = '\xff\xfe\xfa'\n")
    (folder / "huge.py").write_text("x = 1\n" * 500_000)
    (folder / "blob.py").write_bytes(b"\x00\xff\x02" * 100)
    (folder / "nul.py").write_bytes(b"x = 1  # \x00\n")  # valid text, so it is read: an interpreter may run it
    (folder / "half.py").write_text("def broken(:\n    return\n\n\ndef fine():\n    return 1\n")
    os.mkfifo(folder / "pipe.py")
    os.symlink("/etc/passwd", folder / "link.py")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "x.js").write_text("eval(1)")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "add", "app.py"], check=True)
    (folder / ".gitignore").write_text("secret.py\n")
    (folder / "secret.py").write_text("x = 1\n")
    found = report(str(folder))
    skipped = {entry["path"]: entry["reason"] for entry in found["skipped"]}  # type: ignore[union-attr]
    assert skipped["broken.py"] == "broken encoding"
    assert skipped["huge.py"] == "too large"
    assert skipped["blob.py"] == "binary"
    assert "nul.py" not in skipped
    assert skipped["pipe.py"] == "not a regular file"
    assert skipped["link.py"] == "symbolic link"
    assert skipped["secret.py"] == "ignored by .gitignore"
    assert any(path.startswith("node_modules") and reason == "vendored" for path, reason in skipped.items())
    cwes = {row["finding"]["cwe"] for row in found["findings"]}  # type: ignore[union-attr]
    assert {89, 78} <= cwes


def test_a_tiny_project_is_audited_in_quick_mode_with_one_agent(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "app.py").write_text(VULNERABLE)
    found = report(str(folder), "--mode", "deep")
    assert found["mode"] == "quick"
    assert len(found["agents"]) == 1  # type: ignore[arg-type]


def test_include_and_exclude_narrow_the_scope(tmp_path: Path) -> None:
    folder = small_app(tmp_path / "app")
    assert report(str(folder), "--exclude", "app.py")["findings"] == []
    assert report(str(folder), "--include", "app.py")["scale"]["files"] == 1  # type: ignore[index]
