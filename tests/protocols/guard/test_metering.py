"""A22 and A23: no sequence of calls spends more than the budget, whatever an agent asks for."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.model.contract import Limits
from counterproof.protocols.guard.metering import (
    HAND_IN_TURNS,
    MAX_LINES,
    MAX_TRACES,
    Meter,
    Refusal,
    Tool,
    Use,
    begin_turn,
    charge,
)

LIMITS = Limits(25, 60)

uses = st.builds(
    Use,
    tool=st.sampled_from(Tool),
    lines=st.integers(-5, 400),
    category=st.sampled_from(("sql", "shell", "path", "")),
    led=st.booleans(),
)
limits = st.builds(
    Limits, turns=st.integers(0, 40), tool_calls=st.integers(-1, 120), knowledge_calls=st.integers(0, 12), findings=st.just(0)
)


def spend(meter: Meter, calls: Iterable[Use]) -> tuple[Meter, list[Use]]:
    """The meter after these calls, and those that were allowed."""
    allowed: list[Use] = []
    for use in calls:
        charged = charge(meter, use)
        if isinstance(charged, Meter):
            meter = charged
            allowed.append(use)
    return meter, allowed


@pytest.mark.rule("A22")
@given(limits, st.lists(st.one_of(uses, st.none()), max_size=200))
def test_no_sequence_of_calls_and_turns_exceeds_any_share(given_limits: Limits, script: list[Use | None]) -> None:
    meter = Meter(given_limits)
    allowed: list[Use] = []
    for use in script:
        after = begin_turn(meter) if use is None else charge(meter, use)
        if isinstance(after, Refusal):
            assert after.reason
            continue
        meter = after
        if use is not None:
            allowed.append(use)
    searching = [use for use in allowed if use.tool is not Tool.KNOWLEDGE]
    assert meter.tool_calls == len(searching) <= max(0, given_limits.tool_calls)
    assert sum(use.tool is Tool.KNOWLEDGE for use in allowed) <= given_limits.knowledge_calls
    assert meter.turns <= given_limits.turns
    assert meter.breadth <= meter.breadth_limit
    assert meter.depth <= meter.depth_limit


@pytest.mark.rule("A23")
@given(st.lists(uses, max_size=200))
def test_traces_stay_within_their_number_and_half_of_it_per_category(calls: list[Use]) -> None:
    meter, allowed = spend(Meter(Limits(25, 100)), calls)
    traced = [use.category for use in allowed if use.tool is Tool.TRACE]
    assert len(traced) <= MAX_TRACES
    assert all(traced.count(category) <= MAX_TRACES // 2 for category in traced)
    assert sum(count for _, count in meter.traces) == len(traced)
    assert all(1 <= use.lines <= MAX_LINES for use in allowed if use.tool is Tool.READ)


@pytest.mark.rule("A22")
def test_the_tool_budget_ends_and_knowledge_has_its_own() -> None:
    meter, allowed = spend(Meter(LIMITS), [Use(Tool.GREP)] * 100 + [Use(Tool.TRACE, category=str(n)) for n in range(100)])
    assert len(allowed) == 36 + 20
    meter, allowed = spend(meter, [Use(Tool.READ, lines=1, led=True)] * 100)
    assert len(allowed) == 4
    assert meter.tool_calls == 60
    refusal = charge(meter, Use(Tool.READ, lines=1, led=True))
    assert refusal == Refusal("all 60 tool calls are used")
    assert len(spend(meter, [Use(Tool.KNOWLEDGE)] * 100)[1]) == 10


@pytest.mark.rule("A22")
def test_with_five_turns_left_only_the_result_is_accepted() -> None:
    meter: Meter | Refusal = Meter(LIMITS)
    for _ in range(LIMITS.turns - HAND_IN_TURNS - 1):
        assert isinstance(meter, Meter)
        meter = begin_turn(meter)
    assert isinstance(meter, Meter)
    assert isinstance(charge(meter, Use(Tool.GLOB)), Meter)
    meter = begin_turn(meter)
    assert isinstance(meter, Meter)
    assert charge(meter, Use(Tool.GLOB)) == Refusal("5 turns are left: hand in the result")
    assert begin_turn(replace(meter, turns=25)) == Refusal("all 25 turns are used")


@pytest.mark.rule("A23")
@pytest.mark.parametrize("lines", [0, -3, 201, 10**9])
def test_a_read_takes_at_most_two_hundred_lines(lines: int) -> None:
    assert charge(Meter(LIMITS), Use(Tool.READ, lines=lines)) == Refusal("a read takes 1 to 200 lines")


@pytest.mark.rule("A23")
def test_breadth_cannot_eat_the_share_of_depth_nor_depth_that_of_breadth() -> None:
    searched, _ = spend(Meter(LIMITS), [Use(Tool.GREP)] * 60)
    assert (searched.breadth, searched.depth) == (36, 0)
    refusal = charge(searched, Use(Tool.READ, lines=10))
    assert isinstance(refusal, Refusal)
    assert "the remaining calls are for traces" in refusal.reason
    assert isinstance(charge(searched, Use(Tool.TRACE, category="sql")), Meter)
    followed, _ = spend(Meter(LIMITS), [Use(Tool.TRACE, category=str(n)) for n in range(60)] + [Use(Tool.READ, 1, led=True)] * 60)
    assert (followed.breadth, followed.depth) == (36, 24)


@pytest.mark.rule("A23")
def test_half_of_the_traces_go_into_other_categories() -> None:
    meter, allowed = spend(Meter(LIMITS), [Use(Tool.TRACE, category="sql")] * 20)
    assert len(allowed) == 10
    refusal = charge(meter, Use(Tool.TRACE, category="sql"))
    assert isinstance(refusal, Refusal)
    assert "'sql'" in refusal.reason
    assert isinstance(charge(meter, Use(Tool.TRACE, category="shell")), Meter)


@pytest.mark.rule("A22")
def test_no_tool_writes() -> None:
    assert {tool.value for tool in Tool} == {"read", "grep", "glob", "symbols", "callers", "git_log", "trace", "knowledge"}
