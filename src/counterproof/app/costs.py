"""Sums the input and output of the models of an audit or a review by purpose, from the run's journal.

Invariant: no model is called and nothing decided; a figure missing from the record is zero. Characters are those of the texts;
tokens are those charged by providers, which are unknown for a host.
"""

import contextlib
import json
from dataclasses import dataclass

from counterproof.agents.models.spoken import spoken, taken
from counterproof.app.jobs import AUDIT, REVIEW
from counterproof.app.stored_runs import job_of
from counterproof.model.contract import AgentTask, Ask, Role
from counterproof.model.errors import UserError
from counterproof.protocols.audit.state import AuditState
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import replay
from counterproof.runtime.replies import KIND, described


@dataclass(slots=True)
class Purpose:
    """One kind of task. `shown` and `handed_in` are characters, `shown` only for a host; `tokens` were sent to a provider."""

    name: str
    tasks: int = 0
    turns: int = 0
    shown: int = 0
    handed_in: int = 0
    tokens: int = 0
    calls: int = 0
    refused: int = 0


def by_purpose(run: RunFolder) -> list[Purpose]:
    """The purposes in order of first use. Raises `UserError` for a verification."""
    job = job_of(run)
    if job is REVIEW:
        return _of_review(run)
    if job is not AUDIT:
        raise UserError(f"run {run.id} is a verification", "only audits and reviews record what each task was shown")
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        state: AuditState = replay(job.machine(), journal).state
    tasks = {task.id: task for task in state.tasks if task.model}
    found: dict[str, Purpose] = {}
    for task in state.tasks:
        if task.model:
            row = found.setdefault(name_of(task), Purpose(name_of(task)))
            row.tasks += 1
    for work in state.work:
        if work.modelled:
            row = found[name_of(work.task)]
            row.calls += len(work.ledger.calls)
            row.refused += sum(bool(call.refused) for call in work.ledger.calls) + len(work.refused)
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        for entry in journal.entries():
            if entry.kind == KIND and (task := tasks.get(described(entry)[0].task)):
                _add(found[name_of(task)], journal.raw(entry.seq) or b"")
    return list(found.values())


def _of_review(run: RunFolder) -> list[Purpose]:
    """The purposes of a review: the kind of a task, and its iteration."""
    found: dict[str, Purpose] = {}
    tasks: set[str] = set()
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        for entry in journal.entries():
            if entry.kind == KIND:
                task = described(entry)[0].task
                name = " ".join(task.rsplit("-", 3)[1:3])
                row = found.setdefault(name, Purpose(name))
                row.tasks += task not in tasks
                tasks.add(task)
                raw = journal.raw(entry.seq) or b""
                _add(row, raw)
                row.calls += len(spoken(raw).calls) or _hosted(raw)[2]
    return list(found.values())


def name_of(task: AgentTask) -> str:
    """The purpose of a task."""
    return task.role.value if task.role is not Role.HUNTER and task.ask is Ask.ASSIGNED else task.ask.value


def _add(row: Purpose, raw: bytes) -> None:
    row.turns += 1
    used = taken(raw)
    row.tokens += used[0] if used else 0
    shown, handed_in, _ = _hosted(raw)
    said = spoken(raw)
    row.shown += shown
    row.handed_in += handed_in or len(said.text) + sum(len(arguments) for _, arguments in said.calls)


def _hosted(raw: bytes) -> tuple[int, int, int]:
    """The characters that a host was shown and submitted, and its calls; zeros for a provider's reply."""
    try:
        fields = json.loads(raw)
        calls = fields["calls"]
        return int(fields["shown"]), len(fields["text"]) + sum(len(each["arguments"]) for each in calls), len(calls)
    except (ValueError, KeyError, TypeError):
        return 0, 0, 0
