"""The embedded agents of a plan verification: they judge by what is certain about plan and code, without a model (P15).

Invariant: an agent knows only its task and its tools. It numbers its own items from 1 and makes proposals; the engine decides.
"""

from counterproof.agents.planning.challenger import EmbeddedChallenger
from counterproof.agents.planning.researcher import EmbeddedResearcher
from counterproof.agents.planning.synthesizer import EmbeddedSynthesizer
from counterproof.agents.planning.worker import EmbeddedListener, PlanAgent
from counterproof.model.plan.contract import PlanRole

__all__ = ["PlanAgent", "embedded_planners"]


def embedded_planners() -> dict[PlanRole, PlanAgent]:
    """One agent for each role."""
    return {
        PlanRole.CHALLENGER: EmbeddedChallenger(),
        PlanRole.DOMAIN_EXPERT: EmbeddedListener(),
        PlanRole.DEVILS_ADVOCATE: EmbeddedListener(),
        PlanRole.RESEARCHER: EmbeddedResearcher(),
        PlanRole.SYNTHESIZER: EmbeddedSynthesizer(),
    }
