"""Prefixes that cache, on the wire: every task of a run begins with the same bytes, whatever its role.

In a review those are tools and conduct; first refinements share the change too, and later tasks do not see it again (R43).
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.small_model.test_small_roles import Planner, Reviewer
from app.test_outages import a_review, a_verification, keyed
from counterproof.app.delivery import Ended
from faults.server import FaultServer, threaded

__all__ = ["keyed"]
WORD = {"vulnerable": True, "cwe": 78, "severity": "high", "why": "A name from outside reaches a shell command."}


@pytest.mark.parametrize(("job", "player", "messages"), [(a_review, Reviewer, 1), (a_verification, Planner, 2)])
def test_tasks_of_a_run_begin_with_the_same_bytes(
    job: Callable[[Path], Callable[..., Ended]], player: Any, messages: int, tmp_path: Path
) -> None:
    with threaded(FaultServer(brain=player(WORD))) as server:
        job(tmp_path)(server)
    begins = {json.dumps([each.body.get("tools"), *each.body["messages"][:messages]]) for each in server.log}
    assert len({each.raw for each in server.log}) >= 2
    assert len(begins) == 1
