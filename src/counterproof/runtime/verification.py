"""Checks a whole journal: its chain, the raw replies beside it, the head outside and the receipt, which is its last row (X18).

What always holds: nothing is written, unless SQLite must first roll back what a killed process left half written. Every edit,
cut, insertion, reordering, replacement and second writer shows, unless whoever did it also rewrote the head outside: for that
case a head that was noted elsewhere can be given.
"""

import contextlib
import json
from dataclasses import dataclass
from typing import Any

from counterproof.model.errors import JournalError
from counterproof.ports import Entry
from counterproof.runtime import heads
from counterproof.runtime.chain import Broken, Damage, intact
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replaying import RERUN
from counterproof.runtime.replies import KIND, damaged

RECEIPT = "receipt"
"""The kind of the row that holds the receipt, byte for byte."""

_MORE_LOOKS = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found. `whole` rows from the first on are sound; `repairs` are cuts that a user asked for, in words."""

    damages: tuple[Damage, ...]
    whole: int
    head: str
    repairs: tuple[str, ...] = ()


def verify(run: RunFolder, noted_head: str = "") -> Verdict:
    """Check one run's journal; raises `JournalError` where it cannot be opened at all."""
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        return verified(run, journal, noted_head)


def verified(run: RunFolder, journal: RunJournal, noted_head: str = "") -> Verdict:
    """The same for a journal that is open."""
    hashes: dict[int, str] = {}
    replies: list[int] = []
    repairs: list[str] = []
    damage: Damage | None = None
    noted: str | None = None
    try:
        for entry in intact(run.id, journal.entries()):
            damage = _of_reply(entry, journal)
            if damage:
                break
            hashes[entry.seq] = entry.hash
            if entry.kind == KIND:
                replies.append(entry.seq)
            elif entry.kind == RECEIPT:
                noted = entry.body
            elif entry.kind == RERUN:
                noted = None
            elif entry.kind == "repair":
                repairs.append(repair_text(entry))
    except Broken as broken:
        damage = broken.damage
    except JournalError as error:
        damage = Damage(len(hashes) + 1, str(error))
    damage = damage or _stray(journal, replies) or _around(run, journal, hashes, noted_head, noted)
    return Verdict((damage,) if damage else (), len(hashes), hashes.get(len(hashes), ""), tuple(repairs))


def _of_reply(entry: Entry, journal: RunJournal) -> Damage | None:
    problem = damaged(entry, journal.raw(entry.seq)) if entry.kind == KIND else ""
    return Damage(entry.seq, problem) if problem else None


def _stray(journal: RunJournal, replies: list[int]) -> Damage | None:
    try:
        found = journal.raw_rows()
    except JournalError as error:
        return Damage(0, str(error))
    return None if found == tuple(replies) else Damage(0, "there is a raw reply that belongs to no row of the journal")


def _around(run: RunFolder, journal: RunJournal, hashes: dict[int, str], noted_head: str, receipt: str | None) -> Damage | None:
    """What the world outside the journal says."""
    if noted_head and noted_head not in hashes.values():
        return Damage(0, "the head that you noted is not in this journal: it was replaced, or truncated before that row")
    return heads.disagreement(journal.outside(), hashes) or _against_receipt(run, hashes, receipt)


def _against_receipt(run: RunFolder, hashes: dict[int, str], noted: str | None) -> Damage | None:
    """Runs of earlier versions noted no receipt; theirs is only held to the head that it names."""
    try:
        written = run.receipt.read_bytes()
        if noted is not None and written != noted.encode("utf-8", "surrogatepass"):
            return Damage(0, "the receipt was changed: it differs from the one in the journal")
        receipt: Any = json.loads(written)
        seq, head = int(receipt["journal"]["entries"]), str(receipt["journal"]["head"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return Damage(0, "the receipt is not readable")
    if hashes.get(seq) != head:
        return Damage(0, "the receipt names a head that is not in this journal")
    return None


def refuse_broken(run: RunFolder) -> None:
    """For whoever reads a run's results: raises `JournalError` unless its log is whole. A run that is being written to is looked
    at again, because a row may come between two looks."""
    damages = verify(run).damages
    for _ in range(_MORE_LOOKS):
        if not damages:
            return
        damages = verify(run).damages
    if damages:
        raise JournalError(
            f"the log of run {run.id} is broken: {damages[0].text}",
            f"its contents cannot be trusted; `counterproof log verify {run.id}` shows more, "
            f"`counterproof resume {run.id} --cut-damage` continues from the last intact row",
        )


def repair_text(entry: Entry) -> str:
    """A repair in words."""
    try:
        fields: Any = json.loads(entry.body)
        return f"cut by the user after row {int(fields['kept'])}: {fields['damage']}"
    except (ValueError, KeyError, TypeError):
        return "cut by the user"
