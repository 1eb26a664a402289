"""What an agent of a plan verification is asked and what it hands in. Agents are fresh for every step and share nothing (P15)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.excerpt import Excerpt
from counterproof.model.plan.challenge import Challenge, Proposal, Question, Response
from counterproof.model.plan.research import Directive, ProbedRisk, ResearchMode, SurfacedContext, Unknown
from counterproof.model.plan.score import ScoreCard


class PlanRole(StrEnum):
    """What an agent is there for."""

    CHALLENGER = "challenger"
    DOMAIN_EXPERT = "domain-expert"
    DEVILS_ADVOCATE = "devils-advocate"
    RESEARCHER = "researcher"
    SYNTHESIZER = "synthesizer"


class Tool(StrEnum):
    """The tools that have a budget (P10)."""

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
    """One question to one agent. `mode` is set for researchers; `scoring` asks for a score card; `tightened` forbids new
    challenges below BLOCKING (P9)."""

    id: str
    agent_id: str
    role: PlanRole
    iteration: int
    attempt: int
    mode: ResearchMode | None = None
    challenges: tuple[Challenge, ...] = ()
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
    """Where a challenge rests: the plan's lines it is about, and what contradicts them (P20): places in the repository as
    `file:line` or in the plan as `plan:line`, or `search`, words that a search over the whole repository does not find."""

    challenge_id: str
    plan_lines: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    search: tuple[str, ...] = ()

    @property
    def plan_sources(self) -> tuple[str, ...]:
        """The plan's lines as sources, so that they are shown beside what contradicts them."""
        return tuple(f"plan:{line}" for line in self.plan_lines)

    @property
    def sources(self) -> tuple[str, ...]:
        """What is re-read before the challenge may stand."""
        return (*self.places, *(f"{EMPTY_SEARCH}{word}" for word in self.search))


EMPTY_SEARCH = "empty search: "
"""How a source opens that is the search for a word which finds nothing."""


@dataclass(frozen=True, slots=True)
class PlanReply:
    """What an agent hands in. It numbers its own items from 1; the engine renumbers them over all agents and iterations.

    References between items of one reply use its own numbers; references to what it was shown use the engine's. `unreviewed` says
    why a part of the work was not done: such a reply counts, and the run is not complete. `established` are the ids of its own
    challenges and unknowns that analysis established; whatever else it holds is a model's word.
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
    """How often a tool was used in a task, and how often it was refused. From the toolbox's record, not from the agent."""

    tool: Tool
    calls: int
    refused: int = 0


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """Whether a source that an agent named is there: a file and line, a commit, a memory key, a search that finds nothing. `why`
    says what is wrong. `quoted` are the texts that were looked for at the source and stand there (P19); `line` is the line that
    it names, for the reader, and `excerpt` what stands around it."""

    source: str
    found: bool
    why: str = ""
    quoted: tuple[str, ...] = ()
    line: str = ""
    excerpt: Excerpt | None = None
