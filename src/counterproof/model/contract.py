"""What an agent is asked and what it hands in (A24). Both travel through the journal, so both are plain data."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Finding
from counterproof.model.survey import Language


class Role(StrEnum):
    """What an agent is there for."""

    HUNTER = "hunter"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one task (A22). They bind agents that a model drives; analysts are bounded by time and memory (A23).

    `findings` is the most an agent may hand in; 0 means as many as it verifies.
    """

    turns: int
    tool_calls: int
    knowledge_calls: int = 10
    findings: int = 0


@dataclass(frozen=True, slots=True)
class AgentTask:
    """One question to one agent. `id` is unique per attempt, so that a retry is a new question and a restart is not."""

    id: str
    agent_id: str
    role: Role
    round: int
    attempt: int
    dimensions: tuple[Dimension, ...]
    languages: tuple[Language, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class Claim:
    """An agent's own view of a dimension. It can only lower what the engine computes (A16)."""

    dimension: Dimension
    status: Status
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AgentReply:
    """The result contract. `ended` is False when the end sentinel is missing: the reply was cut off (A25)."""

    agent_id: str
    round: int
    dimensions: tuple[Dimension, ...]
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    modules_loaded: tuple[str, ...] = ()
    hotspots: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    ended: bool = True

    def __post_init__(self) -> None:
        if not self.agent_id:
            raise InvalidValue("a reply names its agent")
