"""Who plays which role of a plan verification: `--agents` as the user writes it, in the audit's own form.

anthropic:claude-sonnet-4-5                               one model for every role
challenger=openai:gpt-5,researcher=anthropic:…,analyst    models by role; the embedded agents for the rest
challenger=host,analyst                                   a coding agent that takes its tasks over MCP
"""

from counterproof.agents.models.team import ANALYST, Member, seats
from counterproof.agents.models.tuning import Tuning
from counterproof.model.plan.contract import PlanRole

ROLES = tuple(role.value for role in PlanRole)
_USAGE = (
    f"write PROVIDER:MODEL, or ROLE=PROVIDER:MODEL,… with the roles {', '.join(ROLES)}; `{ANALYST}` stands for the embedded one"
)

Members = dict[PlanRole, tuple[Member, Tuning]]


def parse_planners(text: str) -> Members:
    """Every role with its model and how it is asked; None stands for the embedded agent alone, `HOST` for a coding agent. Raises
    `UserError` for what is no team."""
    return {PlanRole(name): seat for name, seat in seats(text, ROLES, "role of a plan verification", _USAGE).items()}
