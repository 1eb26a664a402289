"""The possible cost of a plan with models, stated before anything is spent (A4)."""

import pytest

from counterproof.model.contract import Role
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.narration import plan as narrated
from counterproof.protocols.audit.plan import Estimate, Plan
from counterproof.protocols.audit.planning import TOKENS_IN, TOKENS_OUT, USUAL_TURNS, estimate_of
from counterproof.protocols.audit.request import AuditRequest, ModelTerms

TERMS = ModelTerms("team", 500_000, 2_500_000, input_price=3_000_000, output_price=15_000_000)


def test_analysts_cost_nothing() -> None:
    assert estimate_of(AuditRequest("x"), Mode.DEEP, 5) == Estimate(0, "0.00")


def test_models_are_estimated_by_turns_and_price() -> None:
    found = estimate_of(AuditRequest("x", models=(Role.HUNTER,), terms=TERMS), Mode.STANDARD, 3)
    assert found.tokens == 3 * USUAL_TURNS * (TOKENS_IN + TOKENS_OUT)
    assert found.cost_usd == "3.645"
    assert "the budget is 500,000 tokens and $2.50" in found.text
    assert estimate_of(AuditRequest("x", models=tuple(Role), terms=TERMS), Mode.STANDARD, 3).tokens > found.tokens
    assert estimate_of(AuditRequest("x", models=tuple(Role), terms=TERMS), Mode.QUICK, 3).tokens == found.tokens


def test_an_unknown_price_is_said() -> None:
    found = estimate_of(AuditRequest("x", models=(Role.HUNTER,), terms=ModelTerms("team", 9)), Mode.QUICK, 1)
    assert "an unknown price" in found.text


@pytest.mark.rule("A4")
def test_the_plan_tells_its_estimate() -> None:
    made = Plan(Mode.STANDARD, "", "", (), (), "R1", "", Estimate(1_000, "0.10", "no limit"))
    assert dict(narrated(made).fields).get("Estimate", "").startswith("about 1,000 tokens, $0.10")
