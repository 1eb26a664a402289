"""What users decided in earlier plan verifications, kept in the user's own folder and found by its words (P10).

Invariant: only the user's own answers are kept, with the challenge they answered; an agent's words are not. Searching is bounded,
and a store that is missing, damaged or locked holds nothing. Keys follow from the content, so the same note is kept once and a
report that names one does not tell when it was made. What a note means for a plan does not belong here.
"""

import contextlib
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from counterproof.model.canonical import digest

MAX_NOTES = 5_000
MAX_FOUND = 10
MAX_WORDS = 60
MAX_TEXT = 2_000
_WAIT = 2.0
_KEY = re.compile(r"memory:[0-9a-f]{16}\Z")


@dataclass(frozen=True, slots=True)
class Note:
    """The user's word on a challenge of an earlier plan."""

    plan: str
    claim: str
    text: str

    @property
    def key(self) -> str:
        return f"memory:{digest(chr(31).join((self.plan, self.claim, self.text)))[:16]}"


class Memory:
    """The notes on one repository."""

    def __init__(self, path: Path, repository: str) -> None:
        self._path = path
        self._repository = repository

    def search(self, words: Iterable[str]) -> tuple[Note, ...]:
        """Notes that hold one of these words, the best first, then by key."""
        quoted = [f'"{word}"' for word in dict.fromkeys(words) if re.search(r"\w", word) and '"' not in word and "\0" not in word]
        if not quoted:
            return ()
        asked = "SELECT plan, claim, text FROM notes WHERE notes MATCH ? AND repository = ? ORDER BY rank, key LIMIT ?"
        return self._notes(asked, (" OR ".join(quoted[:MAX_WORDS]), self._repository, MAX_FOUND))

    def find(self, key: str) -> Note | None:
        """The note of that key."""
        if not _KEY.match(key):
            return None
        found = self._notes("SELECT plan, claim, text FROM notes WHERE key = ? AND repository = ?", (key, self._repository))
        return found[0] if found else None

    def empty(self) -> bool:
        return not self._notes("SELECT plan, claim, text FROM notes WHERE repository = ? LIMIT 1", (self._repository,))

    def add(self, notes: Iterable[Note]) -> None:
        """Keep notes. What cannot be written is lost without harm: memory is a help, not a record."""
        cut = [Note(each.plan[:200], each.claim[:MAX_TEXT], each.text[:MAX_TEXT]) for each in notes]
        if not cut:
            return
        with contextlib.suppress(sqlite3.Error, OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.touch(mode=0o600)
            with contextlib.closing(sqlite3.connect(self._path, timeout=_WAIT)) as base, base:
                base.execute(
                    "CREATE VIRTUAL TABLE IF NOT EXISTS notes USING fts5("
                    "key UNINDEXED, repository UNINDEXED, plan, claim, text, tokenize=\"unicode61 tokenchars '_'\")"
                )
                for note in cut:
                    base.execute("DELETE FROM notes WHERE key = ? AND repository = ?", (note.key, self._repository))
                    row = (note.key, self._repository, note.plan, note.claim, note.text)
                    base.execute("INSERT INTO notes(key, repository, plan, claim, text) VALUES (?, ?, ?, ?, ?)", row)
                base.execute(
                    "DELETE FROM notes WHERE rowid NOT IN (SELECT rowid FROM notes ORDER BY rowid DESC LIMIT ?)", (MAX_NOTES,)
                )

    def _notes(self, asked: str, values: tuple[object, ...]) -> tuple[Note, ...]:
        if not self._path.is_file():
            return ()
        try:
            with contextlib.closing(
                sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True, timeout=_WAIT)
            ) as base:
                rows = base.execute(asked, values).fetchall()
        except sqlite3.Error:
            return ()
        return tuple(Note(str(plan), str(claim), str(text)) for plan, claim, text in rows)
