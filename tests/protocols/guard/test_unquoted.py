"""A recorded run's claims (A29): its reads are not checked, and they are suspected until an analyst agrees."""

from dataclasses import replace

import pytest

from counterproof.model.confidence import Confidence
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.severity import Ground, Severity
from counterproof.protocols.audit.confidence import confidence_of, merged_confidence
from counterproof.protocols.audit.deduplication import merge
from counterproof.protocols.guard.citations import Citation, verified
from toolbox.tooling import a_claim

SURE = replace(a_claim(), confidence=Ground.HIGH)
FOUND = Citation(0, True, True, True, unquoted=True)
NOTHING: frozenset[str] = frozenset()


def let_in(citation: Citation, finding: Finding = SURE) -> Finding:
    kept, refused = verified("agent-x", (finding,), (citation,), NOTHING)
    assert not refused
    return kept[0]


@pytest.mark.rule("A29")
def test_a_recorded_claim_needs_no_reading_on_record_and_any_other_does() -> None:
    assert let_in(FOUND).unquoted
    kept, refused = verified("agent-x", (SURE,), (replace(FOUND, unquoted=False),), NOTHING)
    assert not kept
    assert refused[0].reason == "the agent never read the file"


@pytest.mark.rule("A29")
def test_the_rest_of_the_checks_holds_for_recorded_claims_too() -> None:
    for missing in ("file_exists", "lines_exist", "quote_found"):
        kept, refused = verified("agent-x", (SURE,), (replace(FOUND, **{missing: False}),), NOTHING)
        assert not kept
        assert refused


@pytest.mark.rule("A29")
def test_an_agent_cannot_call_itself_recorded_to_be_spared_the_reading() -> None:
    liar = replace(a_claim(), unquoted=True, confidence=Ground.MEDIUM)
    kept, refused = verified("agent-x", (liar,), (replace(FOUND, unquoted=False),), NOTHING)
    assert not kept
    assert refused
    kept, _ = verified("agent-x", (liar,), (replace(FOUND, unquoted=False),), frozenset({liar.location.path}))
    assert not kept[0].unquoted


@pytest.mark.rule("A29")
@pytest.mark.parametrize("word", Corroboration)
def test_a_recorded_claim_is_suspected_until_an_analyst_comes_to_the_same_result(word: Corroboration) -> None:
    expected = Confidence.CLAIMED if word is Corroboration.BOTH else Confidence.SUSPECTED
    assert confidence_of(let_in(replace(FOUND, corroboration=word))) is expected


@pytest.mark.rule("A39")
def test_two_recorded_runs_that_agree_stay_suspected_and_a_reader_lifts_them() -> None:
    one = replace(let_in(FOUND), id="F001", found_by=("a",))
    other = replace(one, id="F002", found_by=("b",))
    both = merge(one, other)
    assert (confidence_of(both), both.unquoted, both.found_by) == (Confidence.SUSPECTED, True, ("a", "b"))
    quoted = replace(SURE, id="F003", found_by=("c",))
    derived = replace(one, id="F004", corroboration=Corroboration.BOTH, found_by=("d",))
    for lifted in (merge(one, quoted), merge(quoted, one), merge(one, derived), merge(derived, one)):
        assert confidence_of(lifted) is Confidence.CLAIMED
    assert merged_confidence((Confidence.SUSPECTED, Confidence.SUSPECTED), True, Severity.LOW) is Confidence.SUSPECTED
