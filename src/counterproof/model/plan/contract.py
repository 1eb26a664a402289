"""The tasks and replies of plan verification agents. Agents are created fresh for every step and share nothing (P15)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.excerpt import Excerpt
from counterproof.model.plan.challenge import Challenge, Proposal, Question, Response
from counterproof.model.plan.research import Directive, ProbedRisk, ResearchMode, SurfacedContext, Unknown
from counterproof.model.plan.score import ScoreCard


class PlanRole(StrEnum):
    """The role of an agent."""

    CHALLENGER = "challenger"
    DOMAIN_EXPERT = "domain-expert"
    DEVILS_ADVOCATE = "devils-advocate"
    RESEARCHER = "researcher"
    SYNTHESIZER = "synthesizer"


class Tool(StrEnum):
    """The tools that have a call budget (P10)."""

    READ = "Read"
    GREP = "Grep"
    MEMORY = "memory_search"
    WEB_SEARCH = "WebSearch"
    WEB_FETCH = "WebFetch"
    GIT_LOG = "git log"


@dataclass(frozen=True, slots=True)
class Allowance:
    """How often one tool may be used in this task."""

    tool: Tool
    calls: int


@dataclass(frozen=True, slots=True)
class PlanTask:
    """One task for one agent. `mode` is set for researchers; `scoring` asks for a score card; `tightened` forbids new challenges
    below BLOCKING (P9)."""

    id: str
    agent_id: str
    role: PlanRole
    iteration: int
    attempt: int
    mode: ResearchMode | None = None
    challenges: tuple[Challenge, ...] = ()
    merged: tuple[tuple[str, Challenge], ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    contexts: tuple[SurfacedContext, ...] = ()
    risks: tuple[ProbedRisk, ...] = ()
    responses: tuple[Response, ...] = ()
    directives: tuple[Directive, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    scoring: bool = False
    card: ScoreCard | None = None
    tightened: bool = False


@dataclass(frozen=True, slots=True)
class Grounds:
    """The evidence of a challenge: the plan's lines that it is about, and what contradicts them (P20): locations in the
    repository as `file:line` or in the plan as `plan:line`, or `search`, words that do not occur anywhere in the repository."""

    challenge_id: str
    plan_lines: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    search: tuple[str, ...] = ()

    @property
    def plan_sources(self) -> tuple[str, ...]:
        """The plan's lines as sources, to be shown next to the evidence that contradicts them."""
        return tuple(f"plan:{line}" for line in self.plan_lines)

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources to re-read before the challenge is accepted."""
        return (*self.places, *(f"{EMPTY_SEARCH}{word}" for word in self.search))


EMPTY_SEARCH = "empty search: "
"""The prefix of a source that is a search without results."""


@dataclass(frozen=True, slots=True)
class PlanReply:
    """An agent's reply. The agent numbers its items from 1; the engine renumbers them across all agents and iterations.

    References between items of one reply use the agent's numbers; references to items that it was shown use the engine's.
    `unreviewed` says why part of the work was not done: such a reply counts, but the run is incomplete. `established` are the ids
    of the reply's challenges and unknowns that analysis established; all other content is a model's claim.
    """

    agent_id: str
    iteration: int
    challenges: tuple[Challenge, ...] = ()
    grounds: tuple[Grounds, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    contexts: tuple[SurfacedContext, ...] = ()
    risks: tuple[ProbedRisk, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    directives: tuple[Directive, ...] = ()
    questions: tuple[Question, ...] = ()
    card: ScoreCard | None = None
    notes: tuple[str, ...] = ()
    established: tuple[str, ...] = ()
    ended: bool = True
    unreviewed: str = ""
    over_budget: bool = False

    def __post_init__(self) -> None:
        if not self.agent_id:
            raise InvalidValue("a reply names its agent")


@dataclass(frozen=True, slots=True)
class Used:
    """How often a task called a tool and how often the call was rejected, as recorded by the toolbox, not by the agent."""

    tool: Tool
    calls: int
    refused: int = 0


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """The check of a source that an agent named: a file and line, a commit, a memory key, a search without results. `why` says
    what is wrong with it. `quoted` are the quotations that occur in the source (P19); `line` is the text of the named line and
    `excerpt` the code around it, for display."""

    source: str
    found: bool
    why: str = ""
    quoted: tuple[str, ...] = ()
    line: str = ""
    excerpt: Excerpt | None = None
