"""The commands that the machine issues. Ids are deterministic, so a resumed run re-issues exactly the commands without an
answering event."""

from dataclasses import dataclass

from counterproof.model.contract import AgentTask
from counterproof.model.report import Report
from counterproof.protocols.audit.plan import Plan
from counterproof.protocols.audit.request import AuditRequest


@dataclass(frozen=True, slots=True)
class SurveyTarget:
    id: str
    request: AuditRequest


@dataclass(frozen=True, slots=True)
class LoadDocuments:
    id: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reconnoitre:
    """One attempt. `method` says what this attempt does that earlier ones did not; `targets` the inventories to complete."""

    id: str
    attempt: int
    method: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskPlan:
    id: str
    plan: Plan


@dataclass(frozen=True, slots=True)
class RunAgent:
    id: str
    task: AgentTask


@dataclass(frozen=True, slots=True)
class RunBaseline:
    id: str


@dataclass(frozen=True, slots=True)
class WriteReport:
    id: str
    report: Report


Command = SurveyTarget | LoadDocuments | Reconnoitre | AskPlan | RunAgent | RunBaseline | WriteReport
