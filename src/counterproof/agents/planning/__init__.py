"""The embedded agents of a plan verification: they judge by what is certain about plan and code, without a model (P15).

Invariant: an agent knows only its task and its tools. It numbers its own items from 1 and makes proposals; the engine decides.
"""

from counterproof.agents.planning.challenger import challenge
from counterproof.agents.planning.researcher import research
from counterproof.agents.planning.synthesizer import synthesize
from counterproof.agents.planning.worker import listen
from counterproof.model.plan.contract import PlanRole

PLANNERS = {
    PlanRole.CHALLENGER: challenge,
    PlanRole.DOMAIN_EXPERT: listen,
    PlanRole.DEVILS_ADVOCATE: listen,
    PlanRole.RESEARCHER: research,
    PlanRole.SYNTHESIZER: synthesize,
}
"""The agent of each role: takes a task and its tools and returns a reply; may block."""
