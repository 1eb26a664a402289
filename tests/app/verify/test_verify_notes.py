"""What an agent could not read reaches the report as a limitation."""

import pytest

from counterproof.model.plan.contract import PlanReply, PlanRole, PlanTask
from counterproof.model.plan.iteration import Verdict
from counterproof.model.receipt import Exit
from protocols.plan.plans import Verification, silent


def test_notes_of_agents_become_limitations_once_and_within_bounds() -> None:
    def agent(task: PlanTask) -> PlanReply:
        if task.role is PlanRole.CHALLENGER and not task.scoring:
            return PlanReply(
                task.agent_id, task.iteration, notes=("a.py was not read", "a.py was not read", *map(str, range(50)))
            )
        return silent(task)

    played = Verification(agent).run()
    assert played.report
    assert played.report.report.limitations[:2] == ("a.py was not read", "0")
    assert len(played.report.report.limitations) == 20


@pytest.mark.rule("F9")
def test_work_that_a_model_left_undone_is_never_clean_and_the_verdict_is_the_embedded_agents() -> None:
    def agent(task: PlanTask) -> PlanReply:
        if task.role is PlanRole.CHALLENGER and not task.scoring:
            return PlanReply(task.agent_id, task.iteration, unreviewed="the model refused to answer")
        return silent(task)

    played = Verification(agent).run()
    assert played.report
    assert played.report.report.verdict is Verdict.PROCEED
    assert "by the embedded agents" in played.report.report.sentence
    assert played.state.outcome
    assert played.state.outcome.exit is Exit.INCOMPLETE
    assert [each.text for each in played.state.outcome.reasons] == ["the model refused to answer"]
