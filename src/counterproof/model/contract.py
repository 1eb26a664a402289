"""The tasks given to agents and their replies (A24). Both are stored in the journal, so both are plain data."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.baseline import Hit
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Finding
from counterproof.model.flow import Flow
from counterproof.model.judgement import HitJudgement, Judgement
from counterproof.model.leftover import Leftover
from counterproof.model.openitem import Answered, OpenItem
from counterproof.model.survey import Language, Unread
from counterproof.model.transfer import FalsePositive, RoundContext
from counterproof.model.user_context import UserContext


class Ask(StrEnum):
    """How a task is posed to a hunter, or to a validator who sees the claims from the start (A61)."""

    ASSIGNED = "dimensions"
    PLAIN = "the plain question"
    LEFT = "what nobody stated"
    NARROW = "a narrow task"
    QUESTIONS = "questions"


class Role(StrEnum):
    """The role of an agent."""

    HUNTER = "hunter"
    CHAIN_CHECKER = "chain checker"
    DEEP_DIVER = "deep diver"
    VALIDATOR = "validator"
    HIT_VERIFIER = "hit verifier"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one task (A22). They apply to model-driven agents; analysts are limited by time and memory (A23).

    `findings` is the most findings that an agent may submit; 0 means no limit.
    """

    turns: int
    tool_calls: int
    knowledge_calls: int = 10
    findings: int = 0


@dataclass(frozen=True, slots=True)
class AgentTask:
    """One task for one agent. `id` is unique per attempt: a retry is a new question, a restart is not.

    `method` says how this round searches (A23); `findings` and `hits` are the input of validators, divers and verifiers;
    `files` the files that a diver should read; `steps` how many of the four validation steps are required; `context` the
    results of earlier rounds; `model` the name of the model that does the work, '' for an embedded analyst (A52); `beyond`: a
    diver also follows what a standard audit does not (A58). `ask` is how the task is posed to a hunter; `whole`: the source is
    included before it; a narrow task has a `topic`, a class of attack, and a `scope` of files, () for all; `open_items` need
    an answer each; `stated` are the findings so far, one line each (A61). `hunt` numbers the hunts that know nothing of each
    other (A67); `user` is what the user says about the program (A65).
    """

    id: str
    agent_id: str
    role: Role
    round: int
    attempt: int
    dimensions: tuple[Dimension, ...]
    languages: tuple[Language, ...]
    limits: Limits
    method: str = ""
    findings: tuple[Finding, ...] = ()
    hits: tuple[Hit, ...] = ()
    files: tuple[str, ...] = ()
    steps: int = 4
    context: RoundContext | None = None
    model: str = ""
    beyond: bool = False
    ask: Ask = Ask.ASSIGNED
    whole: bool = False
    topic: str = ""
    scope: tuple[str, ...] = ()
    open_items: tuple[OpenItem, ...] = ()
    stated: tuple[str, ...] = ()
    hunt: int = 1
    user: UserContext | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """An agent's own estimate of its coverage of a dimension. It can only lower what the engine computes (A16)."""

    dimension: Dimension
    status: Status
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AgentReply:
    """The result contract. `ended` is False if the end marker is missing, because the reply was truncated (A25).

    Hunters submit findings, `answers` to the task's open items, and the places they excluded as `false_positives`; divers also
    `flows` and the results for `leftovers` (A58); validators `judgements`; verifiers `hit_judgements`. `over_budget`: the work
    ended because the next call might have exceeded the budget (A51). `unread` is code that could not be read completely.
    `context` is the host's name for the conversation that the reply comes from; `unreviewed` says why a model left its whole
    part undone.
    """

    agent_id: str
    round: int
    dimensions: tuple[Dimension, ...]
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    modules_loaded: tuple[str, ...] = ()
    hotspots: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    flows: tuple[Flow, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    hit_judgements: tuple[HitJudgement, ...] = ()
    ended: bool = True
    false_positives: tuple[FalsePositive, ...] = ()
    over_budget: bool = False
    unread: tuple[Unread, ...] = ()
    leftovers: tuple[Leftover, ...] = ()
    answers: tuple[Answered, ...] = ()
    context: str = ""
    unreviewed: str = ""

    def __post_init__(self) -> None:
        if not self.agent_id:
            raise InvalidValue("a reply names its agent")
