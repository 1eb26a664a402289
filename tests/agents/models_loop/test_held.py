"""A result that is corrected: only what changes is handed in again (A25, F8)."""

from typing import Any

import pytest

from counterproof.agents.models.held import Held


def _finding(title: str, file: str = "app.py", start: int = 1, evidence: str = "x") -> dict[str, Any]:
    return {"title": title, "file": file, "start": start, "evidence": evidence}


def _result(*findings: dict[str, Any]) -> dict[str, Any]:
    return {"marker": "cp-1", "nothing_found": not findings, "findings": list(findings), "gaps": ["the queue"]}


@pytest.mark.rule("A25")
def test_entries_that_are_not_repeated_stay_and_a_corrected_one_replaces_its_own() -> None:
    held = Held(_result(_finding("one"), _finding("two", start=7)), refused=["findings[1]"])
    whole = held.corrected({"marker": "cp-1", "findings": [_finding("two", start=9, evidence="y")]})
    assert whole["findings"] == [_finding("one"), _finding("two", start=9, evidence="y")]
    assert whole["gaps"] == ["the queue"]


@pytest.mark.rule("A25")
def test_rejected_entry_that_is_not_resubmitted_is_dropped() -> None:
    held = Held(_result(_finding("one"), _finding("two", start=7)), refused=["findings[0]", "findings[1]"])
    whole = held.corrected({"marker": "cp-1", "nothing_found": False, "findings": [_finding("two", start=7, evidence="y")]})
    assert whole["findings"] == [_finding("two", start=7, evidence="y")]
    assert Held(_result(_finding("one")), refused=["findings[0]"]).corrected({"findings": []})["nothing_found"] is True


@pytest.mark.rule("A25")
def test_an_entry_that_was_only_named_stays_when_it_is_not_repeated() -> None:
    held = Held(_result(_finding("one")), named=["findings[0]"])
    assert held.corrected({"findings": []})["findings"] == [_finding("one")]
    assert held.corrected({"findings": [_finding("one", evidence="y")]})["findings"] == [_finding("one", evidence="y")]


def test_resubmitted_full_result_replaces_the_first() -> None:
    first = _result(_finding("same", start=1), _finding("same", start=5), _finding("other", file="b.py"))
    assert Held(first).corrected(first) == first
    second = _result(_finding("same", start=1), _finding("same", start=6), _finding("other", file="b.py"))
    assert Held(first, refused=["findings[1]"]).corrected(second) == second


@pytest.mark.parametrize(
    ("name", "key"), [("judgements", "claim"), ("judged", "item"), ("hits", "hit"), ("coverage", "dimension")]
)
def test_answers_are_replaced_by_what_they_answer(name: str, key: str) -> None:
    held = Held({name: [{key: "a", "verdict": 1}, {key: "b", "verdict": 1}]})
    assert held.corrected({name: [{key: "b", "verdict": 2}]})[name] == [{key: "a", "verdict": 1}, {key: "b", "verdict": 2}]


def test_a_field_that_is_not_what_it_should_be_is_passed_on_for_the_contract_to_refuse() -> None:
    assert Held({"approved": True, "findings": []}, refused=["approved"]).corrected({"findings": []}) == {"findings": []}
    held = Held({"findings": [_finding("one")], "judged": "none"})
    assert held.corrected({"findings": "all of them", "judged": []})["findings"] == "all of them"
    assert Held({"findings": ["text"]}).corrected({"findings": [_finding("one")]})["findings"] == [_finding("one")]
