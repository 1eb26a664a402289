"""The embedded devil's advocate: takes the plan's great promises at their word. It does not repeat what others check."""

from counterproof.agents.planning.worker import fresh, raised
from counterproof.analysis.plans.risks import great_promises
from counterproof.model.plan.challenge import Origin
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.toolbox.plan_tools import PlanTools


class EmbeddedAdvocate:
    """Raises promises that nothing in the plan supports."""

    def work(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        challenges, grounds = raised(fresh(great_promises(tools.bench.case), task), task, Origin.DEVILS_ADVOCATE)
        return PlanReply(task.agent_id, task.iteration, challenges=challenges, grounds=grounds)
