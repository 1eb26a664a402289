"""What a recorded run says (A29): nobody asks what it read, and no more than medium confidence until an analyst agrees."""

from dataclasses import replace

import pytest

from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Corroboration, Finding, StepResult, Validation, ValidationStep
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.location import at
from counterproof.model.severity import Confidence
from counterproof.protocols.audit.deduplication import merge
from counterproof.protocols.audit.resolution import Ruling, resolve
from counterproof.protocols.guard.citations import Citation, verified
from toolbox.tooling import a_claim

SURE = replace(a_claim(), confidence=Confidence.HIGH)
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
    liar = replace(a_claim(), unquoted=True, confidence=Confidence.MEDIUM)
    kept, refused = verified("agent-x", (liar,), (replace(FOUND, unquoted=False),), NOTHING)
    assert not kept
    assert refused
    kept, _ = verified("agent-x", (liar,), (replace(FOUND, unquoted=False),), frozenset({liar.location.path}))
    assert not kept[0].unquoted


@pytest.mark.rule("A29")
@pytest.mark.parametrize(
    ("word", "confidence"),
    [
        (Corroboration.UNCHECKED, Confidence.MEDIUM),
        (Corroboration.AGENT_ALONE, Confidence.MEDIUM),
        (Corroboration.BOTH, Confidence.HIGH),
        (Corroboration.CONTRADICTED, Confidence.PATTERN),
    ],
)
def test_confidence_is_capped_until_an_analyst_comes_to_the_same_result(word: Corroboration, confidence: Confidence) -> None:
    assert let_in(replace(FOUND, corroboration=word)).confidence is confidence


def test_the_cap_raises_nothing() -> None:
    assert let_in(FOUND, replace(SURE, confidence=Confidence.PATTERN)).confidence is Confidence.PATTERN


def test_no_such_finding_can_be_made() -> None:
    with pytest.raises(InvalidValue, match="unquoted"):
        replace(SURE, unquoted=True)


@pytest.mark.rule("A39")
def test_two_recorded_runs_that_agree_stay_at_medium_and_a_reader_lifts_them() -> None:
    one = replace(let_in(FOUND), id="F001", found_by=("a",))
    other = replace(one, id="F002", found_by=("b",))
    both = merge(one, other)
    assert (both.confidence, both.unquoted, both.found_by) == (Confidence.MEDIUM, True, ("a", "b"))
    quoted = replace(SURE, id="F003", confidence=Confidence.MEDIUM, found_by=("c",))
    for lifted in (merge(one, quoted), merge(quoted, one)):
        assert (lifted.confidence, lifted.unquoted) == (Confidence.HIGH, False)
    derived = replace(one, id="F004", corroboration=Corroboration.BOTH, found_by=("d",))
    for lifted in (merge(one, derived), merge(derived, one)):
        assert (lifted.confidence, lifted.unquoted, lifted.hearsay) == (Confidence.HIGH, True, False)


@pytest.mark.rule("A38")
def test_a_word_of_confirmation_does_not_replace_the_analyst() -> None:
    step = ValidationStep(StepResult.PASS, "because", at("app.py", 5))
    finding = replace(let_in(FOUND), id="F001")
    word = Judgement("F001", Verdict.CONFIRMED, Validation(step, step, step, step), at("app.py", 5))
    (ruled,) = resolve((finding,), {"F001": Ruling(word)}, {}, ()).ruled
    assert ruled.finding.confidence is Confidence.MEDIUM
    derived = replace(finding, corroboration=Corroboration.BOTH)
    (ruled,) = resolve((derived,), {"F001": Ruling(word)}, {}, ()).ruled
    assert ruled.finding.confidence is Confidence.VERIFIED
