"""A run as a person can follow it: the markers, who began, what each model said and called, what was kept of it.

Everything comes from the journal, in its order; nothing is asked and nothing decided. Lines are plain text with the time in
front; making them harmless for a terminal is the surface's business.
"""

import contextlib
import json
from collections.abc import Iterator
from typing import Any, cast

from counterproof.agents.models.spoken import spoken, told
from counterproof.model.counting import counted
from counterproof.ports import Entry
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replies import KIND, described

MAX_NOTES = 5


def lines(run: RunFolder, agent: str = "") -> Iterator[str]:
    """The whole course of a run, or of one agent in it."""
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        for entry in journal.entries():
            who, said = _told(journal, entry)
            if said and (not agent or who.split("/")[0] == agent):
                clock = entry.at[11:19]
                head = f"{clock}  {who}: " if who else f"{clock}  "
                yield head + f"\n{' ' * 10}".join(said)


def _told(journal: SqliteJournal, entry: Entry) -> tuple[str, list[str]]:
    """Whose row it is, and what it says; nothing for rows that only the machine needs."""
    if entry.kind == "marker":
        return "", entry.body.split("\n")
    if entry.kind == KIND:
        key, _ = described(entry)
        said = told(spoken(journal.raw(entry.seq) or b""))
        return key.task, [f"turn {key.step}: {said[0]}", *said[1:]]
    if entry.kind == "event":
        return _event(json.loads(entry.body))
    return "", [f"{entry.kind}: {entry.body[:300]}"]


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
