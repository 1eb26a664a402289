"""Sums the input and output of the models of a run by purpose, from the run's journal.

Invariant: no model is called and nothing decided; a figure missing from the record is zero. Characters are those of the texts;
tokens are those charged by providers, which are unknown for a host.
"""

import contextlib
import json
import re
from dataclasses import dataclass

from counterproof.agents.models.spoken import spoken, taken
from counterproof.app.jobs import AUDIT
from counterproof.app.stored_runs import job_of
from counterproof.model.contract import AgentTask, Ask, Role
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
    """The purposes in order of first use; those of an audit also with its rejected calls."""
    job = job_of(run)
    found: dict[str, Purpose] = {}
    seen: set[str] = set()
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        state: AuditState = replay(job.machine(), journal).state if job is AUDIT else AuditState()
        names = {task.id: name_of(task) for task in state.tasks if task.model}
        for name in names.values():
            found.setdefault(name, Purpose(name)).tasks += 1
        for entry in journal.entries():
            if entry.kind != KIND:
                continue
            task = described(entry)[0].task
            name = names.get(task, "") if job is AUDIT else _PURPOSE.sub(r"\1", task).replace("-", " ")
            if name:
                row = found.setdefault(name, Purpose(name))
                row.tasks += job is not AUDIT and task not in seen
                seen.add(task)
                _add(row, journal.raw(entry.seq) or b"", job is not AUDIT)
    for work in state.work:
        if work.modelled:
            row = found[name_of(work.task)]
            row.calls += len(work.ledger.calls)
            row.refused += sum(bool(call.refused) for call in work.ledger.calls) + len(work.refused)
    return list(found.values())


_PURPOSE = re.compile(r"(?:i\d+|[^-]+(?=-.+-\d+-))-(.+)-(?:try)?\d+$")
"""The kind of a task in a verification, `i1-challenger-try1`; and in a review with its iteration, `SEC-refine-1-try1`."""


def name_of(task: AgentTask) -> str:
    """The purpose of a task."""
    return task.role.value if task.role is not Role.HUNTER and task.ask is Ask.ASSIGNED else task.ask.value


def _add(row: Purpose, raw: bytes, calls: bool) -> None:
    row.turns += 1
    used = taken(raw)
    row.tokens += used[0] if used else 0
    shown, handed_in, hosted = _hosted(raw)
    said = spoken(raw)
    row.calls += (len(said.calls) or hosted) if calls else 0
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
