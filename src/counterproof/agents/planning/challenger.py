"""The embedded challenger: holds what the plan says against the repository, and audits the score (P3, P12)."""

from counterproof.agents.planning.marks import by_plan
from counterproof.agents.planning.worker import fresh, raised
from counterproof.analysis.plans.evidence import UNEARNED
from counterproof.analysis.plans.examination import examine
from counterproof.model.plan.challenge import Raiser, Weight
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.toolbox.plan_tools import PlanTools

MAX_MINOR = 3
"""Small doubts raised at once, so that they do not crowd out what matters."""
MAX_FIRM = 8
"""Of those that contradict the plan by their nature and only have not earned to stop it."""


class EmbeddedChallenger:
    """Raises what the checks doubt."""

    def work(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        if task.scoring:
            return PlanReply(task.agent_id, task.iteration, card=by_plan(tools.bench.outline, task))
        doubts = fresh(examine(tools.bench.case), task)
        heavy = [each for each in doubts if each.weight is not Weight.MINOR]
        light = [each for each in doubts if each.weight is Weight.MINOR]
        firm = [each for each in light if each.evidence in UNEARNED][:MAX_FIRM]
        loose = [each for each in light if each.evidence not in UNEARNED][: max(0, MAX_MINOR - len(firm))]
        challenges, grounds = raised([*heavy, *firm, *loose], task, Raiser.CHALLENGER)
        notes = tuple(tools.bench.case.ground.limitations[:20])
        return PlanReply(task.agent_id, task.iteration, challenges=challenges, grounds=grounds, notes=notes)
