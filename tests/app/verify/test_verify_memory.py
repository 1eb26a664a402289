"""What surrounds a plan: the user's earlier decisions."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import FLAWED
from app.verify.test_verify_runs import User, started
from counterproof.toolbox.memory import Memory, Note


@pytest.mark.rule("P10")
def test_an_earlier_answer_contradicts_a_later_plan(tmp_path: Path) -> None:
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
