"""A model may add claims and doubts; it cannot take away what the analysers established (A29)."""

from dataclasses import replace

import pytest

from counterproof.model.confidence import Confidence
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Corroboration, StepResult, Validation, ValidationStep
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.location import at
from counterproof.model.severity import Ground
from counterproof.protocols.audit.confidence import confidence_of
from counterproof.protocols.guard.citations import Citation, verified
from counterproof.protocols.guard.witnesses import corroboration_of, second_result
from toolbox.tooling import a_claim

CLAIM = a_claim()
C, D, R = Verdict.CONFIRMED, Verdict.DOWNGRADED, Verdict.REJECTED


def word(verdict: Verdict) -> Judgement:
    result = {C: StepResult.PASS, D: StepResult.PARTIAL, R: StepResult.FAIL}[verdict]
    step = ValidationStep(result, "because", at("app.py", 5))
    return Judgement("F001", verdict, Validation(step, step, step, step), at("app.py", 5))


def test_a_judgement_of_the_place_is_a_witness() -> None:
    assert corroboration_of(None) is Corroboration.AGENT_ALONE
    assert [corroboration_of(word(each)) for each in (C, D, R)] == [
        Corroboration.BOTH,
        Corroboration.AGENT_ALONE,
        Corroboration.CONTRADICTED,
    ]


@pytest.mark.rule("A29")
@pytest.mark.parametrize(
    ("dimension", "rule", "outcome"), [("D3", "", D), ("D2", "", D), ("D9", "", D), ("D3", "idor", C), ("D1", "", C)]
)
def test_seeing_again_that_a_check_is_absent_confirms_nobodys_claim(dimension: str, rule: str, outcome: Verdict) -> None:
    claim = replace(CLAIM, dimension=Dimension(dimension), rule=rule)
    assert second_result(claim, word(C)).verdict is outcome
    assert second_result(claim, word(R)).verdict is R


@pytest.mark.rule("A29")
def test_a_contradicted_claim_stays_a_claim_and_an_unread_one_is_refused() -> None:
    claim = replace(CLAIM, confidence=Ground.HIGH)
    sound = Citation(0, True, True, True, read=True, corroboration=Corroboration.CONTRADICTED)
    kept, _ = verified("a", (claim,), (sound,), frozenset())
    assert (confidence_of(kept[0]), kept[0].corroboration) == (Confidence.CLAIMED, Corroboration.CONTRADICTED)
    kept, refused = verified("a", (claim,), (replace(sound, read=False),), frozenset({"app.py"}))
    assert kept == ()
    assert refused[0].reason == "the agent never read the file"
