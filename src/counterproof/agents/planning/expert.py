"""The embedded domain expert: what a plan of this kind must not leave out, such as a way back or a word on failing systems."""

from counterproof.agents.planning.worker import fresh, raised
from counterproof.analysis.plans.risks import no_way_back, silent_on_failure
from counterproof.model.plan.challenge import Origin
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.toolbox.plan_tools import PlanTools


class EmbeddedExpert:
    """Raises what is missing from the plan itself."""

    def work(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        case = tools.bench.case
        doubts = fresh([*no_way_back(case), *silent_on_failure(case)], task)
        challenges, grounds = raised(doubts, task, Origin.DOMAIN_EXPERT)
        return PlanReply(task.agent_id, task.iteration, challenges=challenges, grounds=grounds)
