"""What surrounds a plan: the user's earlier decisions and those in history."""

import subprocess
from pathlib import Path

import pytest

from analysis.plans.planned_shop import FLAWED, shop
from app.verify.test_verify_runs import User, started
from counterproof.app import verify
from counterproof.cli.console import SilentObserver
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.runtime.home import Home
from counterproof.toolbox.memory import Memory, Note


@pytest.mark.rule("P10")
def test_an_earlier_answer_speaks_against_a_later_plan(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    started(folder, FLAWED, User({"C1": "keep old_total, customers import it"}))
    later = "# Clean up\n\n1. Remove `old_total()` from `shop/prices.py`.\n2. Change `shop/report.py` to `total_price()`.\n"
    done = started(folder, later)
    assert done.report
    (context,) = [each for each in done.report.contexts if each.source == "memory"]
    (challenge,) = done.report.challenges
    assert (context.impact, context.generates_challenge) == ("contradicts_plan", challenge.id)
    assert "keep old_total" in challenge.concern
    assert done.report.unknowns[0].finding.startswith(f"[VERIFIED: {context.location} |")
    elsewhere = started(tmp_path / "other", later)
    assert elsewhere.report
    assert elsewhere.report.challenges == ()


def test_memory_is_bounded_keyed_by_content_and_survives_damage(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "m.sqlite", "/a")
    assert memory.empty()
    note = Note("plan", "The plan removes `old_total`", "keep it")
    memory.add([note, note])
    assert memory.search(["old_total", 'quo"te', "AND"]) == (note,)
    assert memory.find(note.key) == note
    assert Memory(tmp_path / "m.sqlite", "/b").empty()
    (tmp_path / "m.sqlite").write_bytes(b"not a database" * 100)
    assert memory.search(["old_total"]) == ()


def test_a_change_of_mind_in_history_is_told(tmp_path: Path) -> None:
    folder = shop(
        tmp_path / "shop",
        **{"PLAN.md": "# P\n\n1. Add `shop/post_box.py`, and use `fastmail` in it again.\n2. Change `add_item()`.\n"},
    )
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Replace fastmail with smtplib"]):
        subprocess.run([*git, *command], check=True)
    done = verify.start(VerifyRequest(str(folder / "PLAN.md"), str(folder)), User(), SilentObserver(), Home())
    assert done.report
    assert done.report.challenges == ()
    assert [each.source for each in done.report.contexts if each.impact == "contradicts_plan"] == ["git_history"]


def test_a_claim_that_holds_is_told_too(tmp_path: Path) -> None:
    done = started(
        tmp_path / "shop",
        "# P\n\n1. Remove `report()` from `shop/report.py`. Nothing else calls `report()`.\n2. Run `make check`.\n",
    )
    assert done.report
    assert done.report.challenges == ()
    assert [(each.location, each.impact) for each in done.report.contexts] == [("shop/report.py:4", "confirms_approach")]
