"""What a specialist may look up, and when looks end so that its later tasks have their tokens."""

import pytest

from counterproof.model.plan.contract import Tool
from counterproof.model.review.contract import Work
from counterproof.protocols.review.looks import affordable, allowances


@pytest.mark.rule("R42")
@pytest.mark.parametrize(("work", "calls"), [(Work.REFINE, 8), (Work.CHALLENGE, 4), (Work.DEFEND, 4), (Work.ADVOCATE, 4)])
def test_every_kind_of_task_may_read_and_search_so_often(work: Work, calls: int) -> None:
    given = {each.tool: each.calls for each in allowances(work)}
    assert (given[Tool.READ], given[Tool.GREP]) == (calls, calls)
    assert given[Tool.GIT_LOG] >= 1


@pytest.mark.rule("R25")
def test_looks_end_before_a_task_uses_what_the_next_ones_need() -> None:
    share = 70_000
    assert affordable(Work.REFINE, share, 0, 10_000)
    assert not affordable(Work.REFINE, share, 10_000, 10_000), "the result would no longer fit its part"
    assert not affordable(Work.REFINE, share, 0, 15_000), "a question this long is asked once"
    assert affordable(Work.REFINE, share, 9_000, 5_000)
    assert not affordable(Work.CHALLENGE, share, 0, 10_000)
    assert affordable(Work.CHALLENGE, 0, 10**9, 10**9), "without a budget there is no such bound"
