"""Formats a run for people: markers, agents' starts, models' statements and calls, accepted results.

Everything comes from the journal, in its order; nothing is decided. Lines are plain text that starts with the time; the user
interface escapes them for terminals.
"""

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from counterproof.agents.models.spoken import spoken, taken, told
from counterproof.app import transcript_plan, transcript_review
from counterproof.app.jobs import REVIEW, VERIFY, Job, job_of
from counterproof.model.counting import counted
from counterproof.ports import Entry
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import RERUN
from counterproof.runtime.replies import KIND, described

MAX_NOTES = 5


def lines(run: RunFolder, agent: str = "", wait: Callable[[], bool] = lambda: False) -> Iterator[str]:
    """The complete course of a run, or of one agent. `wait` returns whether the run continues."""
    events = _teller(job_of(run))
    last = 0
    while True:
        going = wait()  # checked before reading the journal, so that the last rows are not missed
        with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
            for entry in journal.entries(last):
                last = entry.seq
                if entry.kind == RERUN:  # a new course starts here
                    events = _teller(job_of(run))
                    list(events(str(json.loads(entry.body)["start"])))
                for who, said in _told(journal, entry, events):
                    if said and (not agent or agent in _names(who)):
                        clock = entry.at[11:19]
                        head = f"{clock}  {who}: " if who else f"{clock}  "
                        yield head + f"\n{' ' * 10}".join(said)
        if not going:
            return


def _names(task: str) -> tuple[str, ...]:
    """The names that select an agent's rows: the task, the task without its attempt, and its specialist."""
    plain = task.split("/")[0]
    return (task, plain, re.sub(r"-try\d+$", "", plain), plain.partition("-")[0])


Rows = Iterable[tuple[str, list[str]]]
"""(speaker, lines); empty for events that only the machine needs."""


def _teller(job: Job) -> Callable[[str], Rows]:
    """Formats one event after the other. An audit's events are self-contained in every version; for other jobs the engine's
    part is replayed from the events."""
    tell = {REVIEW.name: transcript_review.tell, VERIFY.name: transcript_plan.tell}.get(job.name)
    if tell is None:
        return lambda body: [_event(json.loads(body))]
    machine = job.machine()
    state = machine.initial()

    def told(body: str) -> Rows:
        nonlocal state
        event, before = machine.decode(body), state
        state, commands = machine.step(before, event)
        return tell(event, before, state, commands)

    return told


def _told(journal: SqliteJournal, entry: Entry, events: Callable[[str], Rows]) -> Rows:
    if entry.kind == "marker":
        return [("", entry.body.split("\n"))]
    if entry.kind == KIND:
        key, _ = described(entry)
        raw = journal.raw(entry.seq) or b""
        said = told(spoken(raw))
        used = taken(raw)
        cost = f" ({used[0]:,} tokens in, {100 * used[1] // used[0]} % from the cache)" if used else ""
        return [(key.task, [f"turn {key.step}: {said[0]}{cost}", *said[1:]])]
    if entry.kind == "event":
        return events(entry.body)
    return [("", [f"{entry.kind}: {entry.body[:300]}"])]


def _event(event: dict[str, Any]) -> tuple[str, list[str]]:
    kind, who = str(event.get("kind")), str(event.get("answers") or "")
    if kind == "agent_started":
        return who, ["begins"]
    if kind == "agent_failed":
        return who, [f"failed: {event.get('reason')}"]
    if kind == "agent_finished":
        return who, _finished(event)
    return ("", [f"[{kind}]"]) if kind in ("time_up", "phase_requested", "plan_answered") else ("", [])


def _finished(event: dict[str, Any]) -> list[str]:
    reply, ledger, cost = (cast("dict[str, Any]", event.get(name) or {}) for name in ("reply", "ledger", "cost"))
    read = {path for each in ledger.get("reads", []) for path in each.get("paths", [])}
    spent = f", {int(cost['tokens']):,} tokens" if cost.get("tokens") else ""
    ended = "finishes" if reply.get("ended", True) else "was cut off"
    judged = len(reply.get("judgements", [])) + len(reply.get("hit_judgements", []))
    what = counted(judged, "judgement") if judged else counted(len(reply.get("findings", [])), "finding")
    head = f"{ended} with {what}; {counted(len(read), 'file')} read{spent}"
    words = [str(each.get("corroboration") or "") for each in event.get("citations", [])]
    found = [
        f"  {each['severity']} CWE-{each['cwe']} {each['location']['path']}:{each['location']['start']} {each['title']}"
        + (f" ({word})" if word else "")
        for each, word in zip(reply.get("findings", []), words, strict=False)
    ]
    return [head, *found, *(f"  note: {note}" for note in reply.get("notes", [])[:MAX_NOTES])]
