"""A journal as a self-contained JSON Lines file that can be verified and replayed anywhere.

The first line contains the run and the format, the last one the number of rows and the head; between them is one canonical
line per row, with its hash, and with the raw bytes in base64 if the row is about a reply. Invariant: reading rejects a file
with an inconsistent chain, raw reply or closing line, and keeps at most one line in memory.
"""

import base64
import binascii
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from counterproof.model.canonical import exact
from counterproof.model.errors import JournalError, UserError
from counterproof.ports import Entry
from counterproof.runtime.chain import FORMAT, Broken, Damage, intact
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replies import KIND, damaged
from counterproof.runtime.verification import Verdict, repair_text

MAX_LINE = 256 << 20
_FIELDS = {"seq": int, "at": str, "kind": str, "body": str, "hash": str}


def lines(run_id: str, journal: RunJournal) -> Iterator[str]:
    """The exported journal, line by line."""
    yield exact({"counterproof": "journal", "format": FORMAT, "run": run_id}) + "\n"
    count, head = 0, ""
    for entry in journal.entries():
        row: dict[str, object] = {"seq": entry.seq, "at": entry.at, "kind": entry.kind, "body": entry.body, "hash": entry.hash}
        raw = journal.raw(entry.seq) if entry.kind == KIND else None
        if raw is not None:
            row["raw"] = base64.b64encode(raw).decode("ascii")
        yield exact(row) + "\n"
        count, head = entry.seq, entry.hash
    yield exact({"entries": count, "head": head}) + "\n"


class ExportedJournal:
    """An exported journal. Read-only; every pass verifies it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.run_id = self._opening()

    def append(self, kind: str, *bodies: str) -> None:
        raise JournalError("an exported journal cannot be written")

    def entries(self) -> Iterator[Entry]:
        """All rows; raises `Broken` at an inconsistency."""
        return intact(self.run_id, self._rows())

    def verify(self, noted_head: str = "") -> Verdict:
        """The same verdict as for a journal in place; without an external head other than the one you noted."""
        whole, head, seen = 0, "", set[str]()
        repairs: list[str] = []
        try:
            for entry in self.entries():
                whole, head = entry.seq, entry.hash
                seen.add(entry.hash)
                if entry.kind == "repair":
                    repairs.append(repair_text(entry))
        except Broken as broken:
            return Verdict((broken.damage,), whole, head, tuple(repairs))
        if noted_head and noted_head not in seen:
            return Verdict((Damage(0, "the head that you noted is not in this journal"),), whole, head, tuple(repairs))
        return Verdict((), whole, head, tuple(repairs))

    def _opening(self) -> str:
        with self._opened() as file:
            first = _value(file.readline(MAX_LINE))
        if not first or first.get("counterproof") != "journal":
            raise UserError(f"{self._path} is not an exported journal", "`counterproof log export RUN` writes one")
        if first.get("format") != FORMAT:
            raise JournalError(f"{self._path} has format {first.get('format')}, this version reads {FORMAT}")
        return str(first.get("run"))

    def _opened(self) -> BinaryIO:
        try:
            return self._path.open("rb")
        except OSError as error:
            raise UserError(f"cannot read {self._path}: {error.strerror}") from error

    def _rows(self) -> Iterator[Entry]:
        """The rows between the first and the last line. The last line must exist, match, and be the end."""
        count, head, closed = 0, "", False
        with self._opened() as file:
            file.readline(MAX_LINE)
            while line := file.readline(MAX_LINE):
                value = _value(line)
                if closed or value is None:
                    raise Broken(Damage(count + 1, f"line {count + 2} is not a row of a journal"))
                if "entries" in value:
                    closed = value == {"entries": count, "head": head}
                    if not closed:
                        raise Broken(Damage(0, "the closing line does not match the rows: some were removed or added"))
                    continue
                entry = _entry(value, count + 1)
                yield entry
                count, head = entry.seq, entry.hash
        if not closed:
            raise Broken(Damage(count, "the closing line is missing: the file was truncated"))


def _value(line: bytes) -> dict[str, Any] | None:
    """Parse a line if it is a complete canonical object: the same content in other bytes means that it was modified."""
    try:
        value: Any = json.loads(line)
        if isinstance(value, dict) and (exact(value) + "\n").encode("ascii") == line:  # pyright: ignore[reportUnknownArgumentType]
            return value  # pyright: ignore[reportUnknownVariableType]
    except (ValueError, RecursionError):
        return None
    return None


def _entry(value: dict[str, Any], expected: int) -> Entry:
    raw: Any = value.pop("raw", None)
    if {name: type(each) for name, each in value.items()} != _FIELDS:
        raise Broken(Damage(expected, f"line {expected + 1} is not a row of a journal"))
    entry = Entry(**value)
    if (entry.kind == KIND) != (raw is not None):
        raise Broken(Damage(expected, f"row {expected} lacks its raw reply, or has an unexpected one"))
    if raw is not None:
        problem = _raw_problem(entry, raw)
        if problem:
            raise Broken(Damage(expected, problem))
    return entry


def _raw_problem(entry: Entry, raw: object) -> str:
    try:
        data = base64.b64decode(str(raw), validate=True)
        problem = damaged(entry, data)
    except (binascii.Error, ValueError):
        return f"the raw reply of row {entry.seq} was changed"
    except JournalError as error:
        return str(error)
    # The last base64 letter has unused bits; a file that is not canonical was modified.
    return problem or ("" if base64.b64encode(data).decode("ascii") == raw else f"the raw reply of row {entry.seq} was changed")
