"""The protocol: asks every question once more where an answer failed, believes a yes only with a line, and ends. Pure."""

from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal

from counterproof.model.receipt import Exit, Outcome, Reason

ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class Question:
    """`pattern` is a regular expression; a line that fits it, in a file that fits `glob`, answers yes."""

    id: str
    text: str
    pattern: str
    glob: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    target: str
    questions: tuple[Question, ...]
    max_seconds: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    id: str
    agent_id: str
    question: Question
    attempt: int


@dataclass(frozen=True, slots=True)
class Row:
    """One answer. `path` and `line` are the evidence of a yes; `searched` files are that of a no; `failed` says why there is none."""

    question: Question
    path: str = ""
    line: int = 0
    quote: str = ""
    searched: int = 0
    failed: str = ""

    @property
    def holds(self) -> bool:
        return bool(self.line)

    @property
    def word(self) -> str:
        return "unanswered" if self.failed else "yes" if self.holds else "no"


@dataclass(frozen=True, slots=True)
class Report:
    target: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Started:
    request: Request
    kind: Literal["checklist_started"] = "checklist_started"


@dataclass(frozen=True, slots=True)
class Answered:
    answers: str
    row: Row
    kind: Literal["checklist_answered"] = "checklist_answered"


@dataclass(frozen=True, slots=True)
class Failed:
    answers: str
    reason: str
    kind: Literal["checklist_failed"] = "checklist_failed"


@dataclass(frozen=True, slots=True)
class TimeUp:
    seconds: int
    limit: str = ""
    kind: Literal["checklist_time_up"] = "checklist_time_up"


@dataclass(frozen=True, slots=True)
class ReportWritten:
    answers: str
    files: tuple[tuple[str, str], ...]
    kind: Literal["checklist_report_written"] = "checklist_report_written"


Event = Started | Answered | Failed | TimeUp | ReportWritten


@dataclass(frozen=True, slots=True)
class Ask:
    id: str
    task: Task


@dataclass(frozen=True, slots=True)
class WriteReport:
    id: str
    report: Report


class Stage(StrEnum):
    ASKING = "asking"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Checklist:
    """The state. `outstanding` are the commands that no event answers yet."""

    request: Request | None = None
    stage: Stage = Stage.ASKING
    outstanding: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    markers: tuple[str, ...] = field(default_factory=tuple)
    outcome: Outcome | None = None
    version: str = "1"


Step = tuple[Checklist, tuple[Ask | WriteReport, ...]]


def step(state: Checklist, event: Event) -> Step:
    match event:
        case Started():
            tasks = tuple(_task(each, 1) for each in event.request.questions)
            state = replace(state, request=event.request, outstanding=tuple(each.id for each in tasks))
            return state, tuple(Ask(each.id, each) for each in tasks)
        case Answered():
            return _closed(_settled(state, event.answers, accept(event.row)))
        case Failed():
            name, _, attempt = event.answers.rpartition("-try")
            question = _question(state, name)
            if int(attempt) < ATTEMPTS:
                again = _task(question, int(attempt) + 1)
                left = tuple(again.id if each == event.answers else each for each in state.outstanding)
                return replace(state, outstanding=left), (Ask(again.id, again),)
            return _closed(_settled(state, event.answers, Row(question, failed=event.reason[:300])))
        case TimeUp():
            left = [each.rpartition("-try")[0] for each in state.outstanding]
            rows = tuple(Row(_question(state, name), failed="the time limit was reached") for name in left)
            return _closed(replace(state, outstanding=(), rows=state.rows + rows))
        case ReportWritten():
            return replace(state, stage=Stage.ENDED, outstanding=()), ()


def accept(row: Row) -> Row:
    """A yes without a line is none."""
    return row if row.failed or not row.line or row.quote.strip() else Row(row.question, failed="the line is empty")


def _task(question: Question, attempt: int) -> Task:
    return Task(f"{question.id}-try{attempt}", question.id, question, attempt)


def _question(state: Checklist, name: str) -> Question:
    assert state.request
    return next(each for each in state.request.questions if each.id == name)


def _settled(state: Checklist, answered: str, row: Row) -> Checklist:
    left = tuple(each for each in state.outstanding if each != answered)
    return replace(state, outstanding=left, rows=(*state.rows, row), markers=(*state.markers, f"[{row.word.upper()}] {row.question.text}"))


def _closed(state: Checklist) -> Step:
    """The report, once every question has its row, in the order of the list whatever came first."""
    if state.outstanding or not state.request or state.outcome:
        return state, ()
    known = {row.question.id: row for row in state.rows}
    rows = tuple(known[each.id] for each in state.request.questions)
    report = Report(state.request.target, rows)
    return replace(state, outcome=_outcome(rows), outstanding=("write-report",)), (WriteReport("write-report", report),)


def _outcome(rows: tuple[Row, ...]) -> Outcome:
    unanswered = sum(bool(row.failed) for row in rows)
    refused = sum(not row.holds and not row.failed for row in rows)
    reasons = [Reason(Exit.INCOMPLETE, f"{unanswered} of {len(rows)} questions have no answer")] if unanswered else []
    reasons += [Reason(Exit.FINDINGS, f"{refused} of {len(rows)} answers are no")] if refused else []
    return Outcome(tuple(reasons))


def as_plain(report: Report) -> dict[str, Any]:
    return {"schema_version": 1, **asdict(report)}
