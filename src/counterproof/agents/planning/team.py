"""Who plays which role of a plan verification: `--agents` as the user writes it, in the audit's own form.

anthropic:claude-sonnet-4-5                               one model for every role
challenger=openai:gpt-5,researcher=anthropic:…,analyst    models by role; the embedded agents for the rest
challenger=host,analyst                                   a coding agent that takes its tasks over MCP
"""

from counterproof.agents.models.team import ANALYST, Member, member_of
from counterproof.model.errors import UserError
from counterproof.model.plan.contract import PlanRole

MAX_TEXT = 4_000
ROLES = tuple(role.value for role in PlanRole)
_USAGE = (
    f"write PROVIDER:MODEL, or ROLE=PROVIDER:MODEL,… with the roles {', '.join(ROLES)}; `{ANALYST}` stands for the embedded one"
)

Members = dict[PlanRole, Member]


def parse_planners(text: str) -> Members:
    """Every role with its model; None stands for the embedded agent alone, `HOST` for a coding agent. Raises `UserError` for
    what is no team."""
    if len(text) > MAX_TEXT:
        raise UserError("the list of agents is too long", _USAGE)
    named: Members = {}
    rest: list[Member] = []
    for item in (each.strip() for each in text.split(",")):
        head, equals, tail = item.partition("=")
        if not item:
            raise UserError(f"{text!r} has an empty entry", _USAGE)
        if not equals or ":" in head:
            rest.append(member_of(item))
        elif head.strip() not in ROLES:
            raise UserError(f"there is no role {head.strip()!r} in a plan verification", _USAGE)
        elif PlanRole(head.strip()) in named:
            raise UserError(f"the role {head.strip()} is given twice", _USAGE)
        else:
            named[PlanRole(head.strip())] = member_of(tail.strip())
    if len(rest) > 1:
        raise UserError("only one entry can stand for all other roles", _USAGE)
    other = rest[0] if rest else None
    return {role: named.get(role, other) for role in PlanRole}
