"""The embedded challenger: compares the plan's statements with the repository, and audits the score (P3, P12)."""

from counterproof.agents.planning.marks import by_plan
from counterproof.agents.planning.worker import fresh, raised
from counterproof.analysis.plans.examination import examine
from counterproof.model.plan.challenge import Raiser
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.toolbox.plan_tools import PlanTools


def challenge(task: PlanTask, tools: PlanTools) -> PlanReply:
    """Raises the challenges and questions that the checks found."""
    if task.scoring:
        return PlanReply(task.agent_id, task.iteration, card=by_plan(tools.bench.outline, task))
    challenges, grounds = raised(fresh(examine(tools.bench.case), task), task, Raiser.CHALLENGER)
    notes = tuple(tools.bench.case.ground.limitations[:20])
    return PlanReply(task.agent_id, task.iteration, challenges=challenges, grounds=grounds, notes=notes)
