"""Every cell of the convergence table, and what else is decided from counts alone."""

import itertools

import pytest

from counterproof.model.plan.challenge import Challenge, Standing, Weight
from counterproof.model.plan.iteration import Convergence, Verdict
from counterproof.protocols.plan.convergence import debt, decide, stalled
from protocols.plan.plans import challenge

STANDING = (Standing.OPEN, Standing.UNRESOLVED)
B, S, M = Weight.BLOCKING, Weight.SIGNIFICANT, Weight.MINOR


def many(count: int, severity: Weight, status: Standing = Standing.OPEN, resolution: str = "", first: int = 1) -> list[Challenge]:
    return [challenge(number, severity, status, resolution) for number in range(first, first + count)]


@pytest.mark.rule("P6")
@pytest.mark.parametrize("iteration", [1, 2, 3])
@pytest.mark.parametrize("status", STANDING)
@pytest.mark.parametrize("blocking", [0, 1, 3])
@pytest.mark.parametrize("significant", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("mitigated", [True, False])
def test_the_table(iteration: int, status: Standing, blocking: int, significant: int, mitigated: bool) -> None:
    found = (
        many(blocking, B, status) + many(significant, S, status, "do A" if mitigated else "", 10) + many(2, M, status, first=20)
    )
    decision = decide(found, iteration)
    assert (decision.blocking_open, decision.significant_open) == (blocking, significant)
    if blocking:
        expected = (Convergence.FORCED_EXIT, Verdict.RETHINK) if iteration == 3 else (Convergence.BLOCKED, Verdict.PAUSE)
    elif significant == 0:
        expected = (Convergence.CONVERGED, Verdict.PROCEED_WITH_QUESTIONS)
    elif significant <= 2:
        expected = (Convergence.CONVERGED, Verdict.REVISE)
    elif mitigated or iteration == 3:
        expected = (Convergence.CONVERGED, Verdict.REVISE_STRONG)
    else:
        expected = (Convergence.CONTINUE, Verdict.NONE)
    assert (decision.status, decision.verdict) == expected
    assert decision.questions == ("C20", "C21")
    bare = not blocking and significant >= 3 and not mitigated
    assert len(decision.unmitigated) == (significant if bare else 0)


@pytest.mark.rule("P6")
def test_one_bare_significant_of_three_is_enough_to_go_on_and_is_named() -> None:
    found = [*many(2, S, resolution="do A"), challenge(3)]
    assert decide(found, 2).status is Convergence.CONTINUE
    assert decide(found, 3).unmitigated == ("C3",)


@pytest.mark.rule("P6")
@pytest.mark.parametrize("status", [Standing.RESOLVED, Standing.WITHDRAWN])
def test_settled_challenges_do_not_count(status: Standing) -> None:
    assert decide(many(4, B, status, "done"), 1).verdict is Verdict.PROCEED


@pytest.mark.rule("P6", "P21")
@pytest.mark.parametrize("status", [Standing.OPEN, Standing.UNRESOLVED, Standing.DEFERRED])
def test_a_question_stays_open_until_it_is_answered(status: Standing) -> None:
    assert decide(many(1, M, status), 1).verdict is Verdict.PROCEED_WITH_QUESTIONS
    assert decide(many(1, M, Standing.RESOLVED, "accepted"), 1).verdict is Verdict.PROCEED
    assert decide([], 1).verdict is Verdict.PROCEED


@pytest.mark.rule("P7")
def test_five_deferred_are_a_debt_and_four_are_not() -> None:
    assert debt(many(4, M, Standing.DEFERRED)) == ()
    assert len(debt(many(5, M, Standing.DEFERRED))) == 5


@pytest.mark.rule("P13")
def test_a_stall_means_no_change_while_a_challenge_is_open() -> None:
    before = many(2, S)
    assert stalled(before, before)
    assert not stalled(before, [before[0], challenge(2, resolution="do A")])
    minor = many(2, M)
    assert not stalled(minor, minor)


@pytest.mark.rule("P3")
def test_the_decision_depends_on_nothing_but_counts() -> None:
    for order in itertools.permutations([*many(2, S), *many(1, M, first=7)]):
        assert decide(order, 1) == decide([*many(2, S), *many(1, M, first=7)], 1)
