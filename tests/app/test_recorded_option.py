"""`counterproof audit --recorded`: from the command line to the report, the receipt and a resumed run."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.command import counterproof
from counterproof.app import recorded_runs
from counterproof.model.contract import Role
from counterproof.model.errors import UserError

APP = """import os
from flask import Flask, request
app = Flask(__name__)


@app.route("/run")
def run():
    return {"code": os.system("ls " + request.args["name"])}


def other(rows):
    return [row for row in rows]
"""


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "app.py").write_text(APP)
    return folder


def record(file: Path, *targets: str) -> Path:
    findings: list[dict[str, Any]] = [
        {"path": "app.py", "start": 8, "cwe": [78], "confidence": "HIGH", "message": "A command."},
        {"path": "app.py", "start": 12, "cwe": [89], "confidence": "HIGH", "message": "A query."},
        {"path": "app.py", "start": 99, "cwe": [89], "confidence": "HIGH", "message": "Nowhere."},
    ]
    rows = [{"target": target, "model": "m", "run": n, "findings": findings} for n, target in enumerate(targets, 1)]
    file.write_text("\n".join(json.dumps(row) for row in rows))
    return file


@pytest.mark.rule("A29")
def test_recorded_runs_reach_the_report_as_hearsay_beside_the_analysts(target: Path, tmp_path: Path) -> None:
    file, out = record(tmp_path / "runs.jsonl", "shop", "elsewhere"), tmp_path / "out"
    ended = counterproof("audit", str(target), "--mode", "quick", "--yes", "--recorded", str(file), "--out", str(out))
    assert ended.returncode == 1, ended.stderr
    report = json.loads((out / "report.json").read_text())
    found = {(f["location"]["start"], f["cwe"]): f for f in (row["finding"] for row in report["findings"])}
    assert (found[8, 78]["rule"], found[8, 78]["unquoted"]) == ("command-injection", False)
    assert found[8, 78]["corroboration"] == "reported by the agent and by the analysers"
    hearsay = found[12, 89]
    assert (hearsay["unquoted"], hearsay["evidence"]) == (True, "return [row for row in rows]")
    assert [row["confidence"] for row in report["findings"] if row["finding"] == hearsay] == ["suspected"]
    assert [each["reason"] for each in report["refused"]] == ["the lines do not exist"]
    assert "attached by the engine" in (out / "appendix.md").read_text()
    assert json.loads((out / "receipt.json").read_text())["recorded"]["target"] == "shop"


def test_a_file_in_the_target_or_without_runs_on_it_is_refused(target: Path, tmp_path: Path) -> None:
    inside = record(target / "runs.jsonl", "shop")
    ended = counterproof("audit", str(target), "--mode", "quick", "--yes", "--recorded", str(inside))
    assert ended.returncode == 2
    assert "inside the target" in ended.stderr
    with pytest.raises(UserError, match="no run on shop"):
        recorded_runs.named(record(tmp_path / "runs.jsonl", "a", "b"), target, ())
    assert recorded_runs.named(record(tmp_path / "runs.jsonl", "a"), target, ()).target == "a"


def test_a_model_and_a_record_cannot_both_hunt(target: Path, tmp_path: Path) -> None:
    file = record(tmp_path / "runs.jsonl", "shop")
    with pytest.raises(UserError, match="both"):
        recorded_runs.named(file, target, (Role.HUNTER,))
    assert recorded_runs.named(file, target, (Role.VALIDATOR,)).target == "shop"


def test_a_resumed_run_wants_the_same_bytes(target: Path, tmp_path: Path) -> None:
    (target / "more.py").write_text("\n".join(f"value_{n} = {n}" for n in range(600)))
    file = record(tmp_path / "runs.jsonl", "shop")
    before = file.read_bytes()
    paused = counterproof("audit", str(target), "--mode", "standard", "--recorded", str(file))
    assert paused.returncode == 6, paused.stderr
    file.write_bytes(before + b"\n")
    refused = counterproof("resume", "latest", "--yes")
    assert "recorded runs changed" in refused.stderr
    file.write_bytes(before)
    resumed = counterproof("resume", "latest", "--yes", "--format", "json")
    assert [row["finding"]["cwe"] for row in json.loads(resumed.stdout)["findings"] if row["finding"]["unquoted"]] == [89]
