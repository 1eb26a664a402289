"""The options shared by commands that start a run work for audit, review and verify alike."""

import dataclasses
from pathlib import Path

import pytest

from cli.command import counterproof
from counterproof.cli.commands_audit import AuditOptions
from counterproof.cli.commands_review import ReviewOptions
from counterproof.cli.commands_verify import VerifyOptions
from counterproof.cli.options import RunOptions

EXAMPLES = Path(__file__).parents[2] / "examples"
BEGIN = {
    "audit": ("audit", str(EXAMPLES / "shop"), "--mode", "quick", "--yes"),
    "review": ("review", "--repo", str(EXAMPLES / "shop"), str(EXAMPLES / "shop" / "storefront" / "tokens.py"), "--yes"),
    "verify": ("verify", str(EXAMPLES / "plan.md"), "--repo", str(EXAMPLES / "shop"), "--yes"),
}


@pytest.mark.parametrize("kind", [AuditOptions, ReviewOptions, VerifyOptions])
def test_a_command_has_every_shared_option_under_the_shared_meaning(kind: type[RunOptions]) -> None:
    shared = {each.name: each.type for each in dataclasses.fields(RunOptions)}
    own = {each.name: each.type for each in dataclasses.fields(kind)}
    assert shared.items() <= own.items()


@pytest.mark.parametrize("command", BEGIN)
def test_a_run_takes_the_shared_options_and_resumes_by_the_commands_own_option(command: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("The till is open on purpose.")
    told = ("--no-cache", "--context", str(notes), "--accept-unread", "*.bin", "--max-time", "600", "--quiet")
    begun = counterproof(*BEGIN[command], *told, "--out", str(tmp_path / "out"))
    assert begun.returncode == 1, begun.stderr
    again = counterproof(command, "--resume", "latest", "--out", str(tmp_path / "again"))
    assert again.returncode == 1, again.stderr
    assert (tmp_path / "again" / "receipt.json").read_bytes() == (tmp_path / "out" / "receipt.json").read_bytes()


@pytest.mark.parametrize("command", BEGIN)
def test_a_budget_or_a_window_without_a_model_is_an_error(command: str) -> None:
    refused = counterproof(*BEGIN[command], "--window", "32000")
    assert refused.returncode == 2
    assert "no model is configured" in refused.stderr
