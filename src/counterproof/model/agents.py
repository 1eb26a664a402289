"""The registry row of an agent (A28). Runs of every mode keep this registry, and only agents listed in it may be given tasks."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension


class AgentStatus(StrEnum):
    """Lifecycle state of an agent."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    TRUNCATED = "TRUNCATED"


class OutputStatus(StrEnum):
    """Whether an agent's output arrived complete."""

    COMPLETE = "COMPLETE"
    TRUNCATED = "TRUNCATED"
    MISSING = "MISSING"


@dataclass(frozen=True, slots=True)
class Registered:
    """One agent. `model` is '' for an embedded analyst; `findings` counts the findings that it submitted itself (A52).
    `started_at` and `completed_at` come from events and are not shown in reports."""

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
