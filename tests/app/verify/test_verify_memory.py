"""What surrounds a plan: the user's earlier decisions."""

from pathlib import Path

import pytest

from app.verify.test_verify_runs import DECIDED, User, decided, started
from counterproof.toolbox.memory import Memory, Note


@pytest.mark.rule("P10")
def test_an_earlier_answer_contradicts_a_later_plan(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    started(decided(folder), DECIDED, User({"C1": "keep it, the tills import it too"}))
    done = started(folder, DECIDED, User({}))
    assert done.report
    (
        context,
        _,
    ) = [each for each in done.report.contexts if each.source == "memory"]
    challenge = done.report.challenges[0]
    assert (context.impact, context.generates_challenge) == ("contradicts_plan", challenge.id)
    assert "keep old_total" in challenge.concern
    assert done.report.unknowns[0].finding.startswith(f"[VERIFIED: {context.location} |")
    elsewhere = started(tmp_path / "other", DECIDED)
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
