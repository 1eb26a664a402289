"""What a specialist may look up, and when looks end so that its later tasks have their tokens."""

import pytest

from counterproof.knowledge.profiles import load_profile
from counterproof.model.plan.contract import Tool
from counterproof.model.review.contract import ReviewTask, Work
from counterproof.protocols.review.looks import allowances, room


@pytest.mark.rule("R42")
@pytest.mark.parametrize(("work", "calls"), [(Work.REFINE, 8), (Work.CHALLENGE, 4), (Work.DEFEND, 4), (Work.ADVOCATE, 4)])
def test_every_kind_of_task_may_read_and_search_so_often(work: Work, calls: int) -> None:
    given = {each.tool: each.calls for each in allowances(work)}
    assert (given[Tool.READ], given[Tool.GREP]) == (calls, calls)
    assert given[Tool.GIT_LOG] >= 1


@pytest.mark.rule("R25")
def test_looks_end_before_a_task_uses_what_the_next_ones_need() -> None:
    first, second, judging = (_task(work, n) for work, n in ((Work.REFINE, 1), (Work.REFINE, 2), (Work.CHALLENGE, 1)))
    share = 70_000
    assert room(first, share, 0, 32_000) == 3_000
    assert room(first, share, 10_000, 28_000) < 0, "the second iteration and the positions would have too little"
    assert room(second, share, 20_000, 28_000) == 1_000
    assert room(second, share, 30_000, 28_000) < 0, "positions and defences would have too little"
    assert room(judging, share, 43_000, 12_000) == 1_000
    assert room(judging, share, 50_000, 12_000) < 0, "the second round of positions would have too little"
    assert room(judging, 0, 10**9, 10**9) > 0, "without a budget there is no such bound"


def _task(work: Work, iteration: int) -> ReviewTask:
    return ReviewTask("SEC-1", "SEC", work, load_profile("code").specialists[0], iteration, 1)
