"""What an agent could not read reaches the report as a limitation."""

from counterproof.model.plan.contract import PlanReply, PlanRole, PlanTask
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
