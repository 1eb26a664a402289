"""The events and commands of plan verification. Each event is journalled before the machine processes it."""

from dataclasses import dataclass
from typing import Literal

from counterproof.model.plan.carried_out import CarriedOut
from counterproof.model.plan.challenge import Question, Response
from counterproof.model.plan.contract import PlanReply, PlanTask, SourceCheck, Used
from counterproof.model.plan.coverage import NOT_COUNTED, Coverage
from counterproof.model.plan.outline import PlanOutline
from counterproof.model.plan.report import PlanReport
from counterproof.protocols.guard.budget import FREE, Cost
from counterproof.protocols.plan.request import VerifyRequest


@dataclass(frozen=True, slots=True)
class VerifyStarted:
    request: VerifyRequest
    version: str
    kind: Literal["verify_started"] = "verify_started"


@dataclass(frozen=True, slots=True)
class PlanRead:
    answers: str
    outline: PlanOutline
    carried_out: CarriedOut | None = None
    coverage: Coverage = NOT_COUNTED
    kind: Literal["plan_read"] = "plan_read"


@dataclass(frozen=True, slots=True)
class TaskDone:
    """A reply, with the toolbox's record of tool use and of the named sources that exist."""

    answers: str
    reply: PlanReply
    used: tuple[Used, ...] = ()
    checks: tuple[SourceCheck, ...] = ()
    cost: Cost = FREE
    kind: Literal["task_done"] = "task_done"


@dataclass(frozen=True, slots=True)
class TaskFailed:
    answers: str
    reason: str
    cost: Cost = FREE
    kind: Literal["task_failed"] = "task_failed"


@dataclass(frozen=True, slots=True)
class UserAnswered:
    """The user's answers; unanswered questions stay open."""

    answers: str
    responses: tuple[Response, ...]
    kind: Literal["user_answered"] = "user_answered"


@dataclass(frozen=True, slots=True)
class VerifyTimeUp:
    seconds: int
    limit: str = ""
    kind: Literal["verify_time_up"] = "verify_time_up"


@dataclass(frozen=True, slots=True)
class PlanReportWritten:
    answers: str
    files: tuple[tuple[str, str], ...]
    kind: Literal["plan_report_written"] = "plan_report_written"


Event = VerifyStarted | PlanRead | TaskDone | TaskFailed | UserAnswered | VerifyTimeUp | PlanReportWritten


@dataclass(frozen=True, slots=True)
class ReadPlan:
    id: str
    request: VerifyRequest


@dataclass(frozen=True, slots=True)
class RunTask:
    id: str
    task: PlanTask


@dataclass(frozen=True, slots=True)
class AskUser:
    """Without a terminal the run is saved and pauses here, and resumes when the question is answered (P13)."""

    id: str
    iteration: int
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class WritePlanReport:
    id: str
    report: PlanReport


Command = ReadPlan | RunTask | AskUser | WritePlanReport
