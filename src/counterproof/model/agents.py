"""The registry row of an agent (A28): kept in every mode, and the only list of agents that may be asked."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension


class AgentStatus(StrEnum):
    """Life of an agent."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    TRUNCATED = "TRUNCATED"


class OutputStatus(StrEnum):
    """What it handed in."""

    COMPLETE = "COMPLETE"
    TRUNCATED = "TRUNCATED"
    MISSING = "MISSING"


@dataclass(frozen=True, slots=True)
class Registered:
    """One agent. `model` is '' for an embedded analyst; `findings` counts what it handed in itself (A52). `started_at` and
    `completed_at` come in with events and stay out of reports."""

    agent_id: str
    task_id: str
    status: AgentStatus
    round: int
    dimensions: tuple[Dimension, ...]
    output: OutputStatus = OutputStatus.MISSING
    findings: int = 0
    started_at: str = ""
    completed_at: str = ""
    model: str = ""
