"""The user's request."""

from dataclasses import dataclass

from counterproof.model.plan.contract import Tool
from counterproof.model.plan.iteration import Team
from counterproof.model.user_context import UserContext
from counterproof.protocols.guard.budget import ModelTerms


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """One verification. `absent` are tools that are not configured; `team` and `threshold` override P2; `web` is the command
    of the user's own MCP server for the web; `diff` is the change that implements the plan, if it is to be compared;
    `source_url`, `context` and `accept_unread` are as in an audit."""

    plan: str
    repository: str
    team: Team | None = None
    threshold: int | None = None
    absent: tuple[Tool, ...] = (Tool.MEMORY, Tool.WEB_SEARCH, Tool.WEB_FETCH)
    max_seconds: int = 0
    terms: ModelTerms | None = None
    web: tuple[str, ...] = ()
    diff: str = ""
    source_url: str = ""
    context: UserContext | None = None
    accept_unread: tuple[str, ...] = ()
