"""The rules of the budget (R25, F18), also against every order of reserving, settling and giving back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.budget import Limit, Usage
from counterproof.model.errors import InvalidValue
from counterproof.protocols.guard.budget import Budget, Cost, Hold, Short, charged, opened, rebalanced, release, reserve, settle
from effort import examples


def held(budget: Budget, name: str, tokens: int, agent: str = "a", micros: int = 0) -> Budget:
    result = reserve(budget, Hold(name, agent, "hunt", Cost(tokens, micros)))
    assert isinstance(result, Budget)
    return result


@pytest.mark.rule("R25")
@pytest.mark.parametrize(
    ("total", "agents", "share"), [(1_000, 4, 375), (1_000, 3, 500), (1_000, 7, 215), (10, 1, 10), (0, 3, 0)]
)
def test_an_agents_share_is_one_and_a_half_times_its_part(total: int, agents: int, share: int):
    budget = opened(Limit(tokens=total, micros=total), agents)
    assert budget.share == Limit(share, share)
    assert opened(Limit(), agents).share == Limit()


@pytest.mark.rule("R25")
def test_a_reservation_counts_until_it_is_settled():
    budget = held(opened(Limit(tokens=100), 1), "one", 60)
    refused = reserve(budget, Hold("two", "b", "hunt", Cost(41)))
    assert isinstance(refused, Short)
    assert refused.everywhere
    budget = settle(budget, "one", Cost(20), Usage(15, 5))
    assert budget.used == Cost(20)
    assert isinstance(reserve(budget, Hold("two", "b", "hunt", Cost(80))), Budget)
    assert isinstance(reserve(budget, Hold("two", "b", "hunt", Cost(81))), Short)


@pytest.mark.rule("R25")
def test_one_agent_cannot_use_up_what_belongs_to_all():
    budget = held(opened(Limit(tokens=1_000), 4), "one", 375)
    refused = reserve(budget, Hold("two", "a", "hunt", Cost(1)))
    assert isinstance(refused, Short)
    assert not refused.everywhere
    assert isinstance(reserve(budget, Hold("two", "b", "hunt", Cost(375))), Budget)


@pytest.mark.rule("R25")
def test_the_unused_budget_is_redistributed_after_the_first_phase():
    budget = settle(held(opened(Limit(tokens=1_000), 4), "one", 300), "one", Cost(100), Usage(100))
    wider = rebalanced(budget, 2)
    assert wider.share.tokens == 100 + 675
    assert rebalanced(budget, 100).share == budget.share, "a share never shrinks"
    assert isinstance(reserve(wider, Hold("two", "b", "validate", Cost(775))), Budget)
    assert isinstance(reserve(wider, Hold("two", "b", "validate", Cost(901))), Short)


@pytest.mark.rule("R25")
def test_money_binds_like_tokens():
    budget = held(opened(Limit(tokens=10_000, micros=50), 1), "one", 10, micros=50)
    assert isinstance(reserve(budget, Hold("two", "b", "hunt", Cost(1, 1))), Short)
    assert isinstance(reserve(budget, Hold("two", "b", "hunt", Cost(1, 0))), Budget)


@pytest.mark.rule("R25")
def test_the_statement_is_by_agent_and_phase():
    budget = charged(opened(Limit(tokens=1_000), 2), "b", "hunt", Cost(5, 1), Usage(4, 1))
    budget = charged(charged(budget, "a", "validate", Cost(7), Usage(7)), "b", "hunt", Cost(5, 1), Usage(4, 1))
    assert [(row.agent, row.phase, row.calls, row.cost) for row in budget.spent] == [
        ("a", "validate", 1, Cost(7)),
        ("b", "hunt", 2, Cost(10, 2)),
    ]
    assert budget.left == Limit(983)


def test_a_reservation_ends_once():
    budget = held(opened(Limit(tokens=100), 1), "one", 60)
    with pytest.raises(InvalidValue):
        reserve(budget, Hold("one", "a", "hunt", Cost(1)))
    budget = release(budget, "one")
    for act in (lambda: release(budget, "one"), lambda: settle(budget, "one", Cost(), Usage())):
        with pytest.raises(InvalidValue):
            act()
    with pytest.raises(InvalidValue):
        opened(Limit(), 0)


STEPS = st.lists(st.tuples(st.sampled_from("rsx"), st.integers(0, 5), st.integers(0, 400), st.integers(0, 400)), max_size=60)


@pytest.mark.rule("F18")
@given(STEPS, st.integers(0, 1_500), st.integers(0, 1_500), st.integers(1, 6))
@settings(max_examples=examples(150), deadline=None)
def test_no_order_of_calls_overshoots(steps: list[tuple[str, int, int, int]], tokens: int, micros: int, agents: int):
    budget = opened(Limit(tokens, micros), agents)
    for number, (act, agent, first, second) in enumerate(steps):
        if act == "r":
            result = reserve(budget, Hold(f"h{number}", f"a{agent}", "p", Cost(first, second)))
            budget = budget if isinstance(result, Short) else result
        elif budget.holds:
            hold = budget.holds[agent % len(budget.holds)]
            cost = Cost(min(first, hold.most.tokens), min(second, hold.most.micros))
            budget = settle(budget, hold.id, cost, Usage(cost.tokens)) if act == "s" else release(budget, hold.id)
        taken = budget.used.plus(budget.held)
        assert taken.tokens <= tokens
        assert taken.micros <= micros
        assert budget.used.tokens == sum(row.cost.tokens for row in budget.spent)
