"""A model may add claims and doubts; it cannot take away what the analysers established (A29)."""

from dataclasses import replace

import pytest

from counterproof.model.dimension import Dimension
from counterproof.model.finding import Corroboration, StepResult, Validation, ValidationStep
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.location import at
from counterproof.model.severity import Confidence
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


@pytest.mark.rule("A24")
def test_a_claim_that_a_model_makes_alone_is_grave_only_with_its_four_steps_and_their_lines() -> None:
    shown = replace(CLAIM, confidence=Confidence.HIGH, validation=word(C).validation)
    vague = replace(shown, validation=replace(shown.validation, reach=ValidationStep(StepResult.PASS, "because")))
    bare = replace(shown, validation=Validation())
    alone = Citation(0, True, True, True, read=True, corroboration=Corroboration.AGENT_ALONE)
    seen = replace(alone, corroboration=Corroboration.BOTH)
    levels = [verified("a", (each,), (alone,), frozenset())[0][0].confidence for each in (shown, vague, bare)]
    assert levels == [Confidence.HIGH, Confidence.MEDIUM, Confidence.MEDIUM]
    assert verified("a", (bare,), (seen,), frozenset())[0][0].confidence is Confidence.HIGH


@pytest.mark.rule("A29")
def test_a_contradicted_claim_is_a_mere_pattern_and_an_unread_one_refused() -> None:
    claim = replace(CLAIM, confidence=Confidence.HIGH)
    sound = Citation(0, True, True, True, read=True, corroboration=Corroboration.CONTRADICTED)
    kept, _ = verified("a", (claim,), (sound,), frozenset())
    assert (kept[0].confidence, kept[0].corroboration) == (Confidence.PATTERN, Corroboration.CONTRADICTED)
    kept, refused = verified("a", (claim,), (replace(sound, read=False),), frozenset({"app.py"}))
    assert kept == ()
    assert refused[0].reason == "the agent never read the file"
