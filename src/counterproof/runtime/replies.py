"""Stores models' raw replies on disk before anything parses them.

Each reply is a row of the journal (its key, digest and size) with its bytes, written in one synced transaction; so the
journal's chain covers it, and all records have one order. `find` checks the bytes against that row. A reply is first written
to the inbox, so that a process killed before the sync does not lose a paid reply. Not handled here: the meaning of a reply.
"""

import json
from typing import Any

from counterproof.model.canonical import canonical
from counterproof.model.errors import JournalError
from counterproof.ports import Entry, ReplyKey
from counterproof.runtime.chain import raw_digest
from counterproof.runtime.crashpoints import reached
from counterproof.runtime.kept import RunJournal

KIND = "reply"


def body_of(key: ReplyKey, raw: bytes) -> str:
    """The journal row of a reply."""
    named = {"task": key.task, "attempt": key.attempt, "step": key.step, "request": key.request}
    return canonical({**named, "sha256": raw_digest(raw), "bytes": len(raw)})


def described(entry: Entry) -> tuple[ReplyKey, str]:
    """The key and the digest in a reply's row."""
    try:
        fields: dict[str, Any] = json.loads(entry.body)
        key = ReplyKey(str(fields["task"]), int(fields["attempt"]), int(fields["step"]), str(fields["request"]))
        return key, str(fields["sha256"])
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"row {entry.seq} of the journal does not describe a reply") from error


def damaged(entry: Entry, raw: bytes | None) -> str:
    """The damage to the bytes of a reply's row; '' if there is none."""
    _, digest = described(entry)
    if raw is None:
        return f"the raw reply of row {entry.seq} is missing"
    if raw_digest(raw) != digest:
        return f"the raw reply of row {entry.seq} was changed"
    return ""


class JournalReplies:
    """The `ReplyStore` of one run. A later reply to the same question replaces the earlier one; both stay in the chain."""

    def __init__(self, journal: RunJournal) -> None:
        self._journal = journal
        self._rows = {described(entry)[0]: entry for entry in journal.entries() if entry.kind == KIND}
        self._inbox = journal.inbox
        if journal.writable:
            self._inbox.open()
            self._take_over()

    def find(self, key: ReplyKey) -> bytes | None:
        entry = self._rows.get(key)
        if entry is None:
            return None
        raw = self._journal.raw(entry.seq)
        problem = damaged(entry, raw)
        if problem:
            raise JournalError(problem, "`counterproof log verify` shows more")
        return raw

    def keep(self, key: ReplyKey, raw: bytes) -> None:
        reached("reply-received")
        self._inbox.put(key, raw)
        reached("reply-landed")
        self._enter(key, raw)
        self._inbox.taken()
        reached("reply-stored")

    def _enter(self, key: ReplyKey, raw: bytes) -> None:
        body = body_of(key, raw)
        seq = self._journal.keep(body, raw)
        self._rows[key] = Entry(seq, "", KIND, body, "")

    def _take_over(self) -> None:
        """Add replies that an earlier process received but did not commit. Committed ones are not added twice."""
        for key, raw in self._inbox.waiting():
            entry = self._rows.get(key)
            if entry is None or described(entry)[1] != raw_digest(raw):
                self._enter(key, raw)
        self._inbox.clear()
