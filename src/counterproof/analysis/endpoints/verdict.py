"""Whether the caller is checked, with the evidence. An undecided check is unknown, never absent."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from counterproof.analysis.program.words import vocabulary, words
from counterproof.model.location import Location, at
from counterproof.model.recon import KNOWS_CALLER, Asks, Guard, GuardEvidence, GuardKind, WrittenGuard


@dataclass(frozen=True, slots=True)
class Verdict:
    """`by` is the deciding evidence; None if nothing was found. `written` lists all guards seen on the path."""

    guard: Guard
    by: GuardEvidence | None = None
    written: tuple[WrittenGuard, ...] = ()

    @property
    def parts(self) -> tuple[Guard, str, GuardEvidence | None, bool, tuple[WrittenGuard, ...]]:
        """The last five fields of an entry point."""
        return self.guard, str(self.by or ""), self.by, False, self.written

    def understood(self, written: WrittenGuard) -> "Verdict":
        """The verdict after its only guard was read: a guard that does not identify the caller counts as absent (A16)."""
        written = replace(written, partly=written.partly or any(each.partly for each in self.written))
        if written.asks in KNOWS_CALLER and not written.partly and self.by is not None:
            return Verdict(Guard.PRESENT, self.by, (written,))
        if written.asks in (Asks.ADDRESS, Asks.NOTHING):
            return Verdict(Guard.ABSENT, self.by, (written,))
        return replace(self, written=(written,))


_RIGHTS = vocabulary("admin administrator role roles staff superuser permission permissions")
"""Name words of guards that require more than a login."""

OPEN = Verdict(Guard.ABSENT)
NOT_ANALYSED = "not analysed in this language"
MAX_WRITTEN = 200
"""Longest source text of a guard that is kept."""


def present(
    path: str, line: int, symbol: str, note: str = "", kind: GuardKind = GuardKind.NAMED, defined: Location | None = None
) -> Verdict:
    place = at(path, line)
    return Verdict(Guard.PRESENT, GuardEvidence(place, symbol, kind, defined, note), (WrittenGuard(place),))


def unknown(path: str, line: int, note: str, symbol: str = "", defined: Location | None = None, partly: bool = False) -> Verdict:
    """An undecided guard. `partly`: it lets some callers or paths pass unchecked."""
    place = at(path, line)
    return Verdict(Guard.UNKNOWN, GuardEvidence(place, symbol, defined=defined, note=note), (WrittenGuard(place, partly=partly),))


def unplaced(path: str, line: int, note: str) -> Verdict:
    """An unknown verdict because the path to the handler is uncertain. No guard was seen, so none is listed."""
    return Verdict(Guard.UNKNOWN, GuardEvidence(at(path, line), note=note))


def left_open(note: str) -> Verdict:
    """An unknown verdict for access that the code alone does not decide."""
    return Verdict(Guard.UNKNOWN, GuardEvidence(note=note))


def as_written(path: str, line: int, text: str) -> Verdict:
    """The guard text before an entry point in a language whose guards are listed but not analysed."""
    shown, place = " ".join(text.split())[:MAX_WRITTEN], at(path, line)
    evidence = GuardEvidence(place, shown, note=f"{shown}: {NOT_ANALYSED}")
    return Verdict(Guard.UNKNOWN, evidence, (WrittenGuard(place, shown, Asks.NOT_ANALYSED),))


UNREAD = left_open(NOT_ANALYSED)
"""No guard was read before an entry point in such a language."""
LOCAL = left_open("whoever can run programs on the machine")
QUEUED = left_open("whoever can put messages on the queue")
CLOCK = left_open("started by a clock")


def asked_words(by: GuardEvidence | None) -> frozenset[str]:
    """The words of a guard's evidence."""
    if by is None:
        return frozenset()
    return frozenset((*words(by.symbol), *(("permission",) if by.kind is GuardKind.PERMISSION else ())))


def strongest(verdicts: Iterable[Verdict]) -> Verdict:
    """Combine the verdicts on one path: one guard is enough, and a guard for a role wins over others; without a guard, one
    unknown leaves the result unknown."""
    every = list(verdicts)
    chosen = _strongest(every)
    written = tuple(dict.fromkeys(guard for each in every for guard in each.written))
    return chosen if written == chosen.written else replace(chosen, written=written)


def _strongest(every: list[Verdict]) -> Verdict:
    for wanted in (Guard.PRESENT, Guard.UNKNOWN):
        found = [verdict for verdict in every if verdict.guard is wanted]
        if found:
            written = tuple(each.by for each in found if each.by is not None and each.by.note.endswith(NOT_ANALYSED))
            return _listed(written) or next((each for each in found if _RIGHTS & asked_words(each.by)), found[0])
    return next((each for each in every if each.guard is Guard.ABSENT and each.by is not None), OPEN)


def _listed(written: tuple[GuardEvidence, ...]) -> Verdict | None:
    """Several unanalysed guards as one verdict at the location of the first; None for fewer than two."""
    texts = tuple(dict.fromkeys(each.symbol for each in written if each.symbol))
    first = written[0].at if written else None
    return as_written(first.path, first.start, ", ".join(texts)) if first is not None and len(texts) > 1 else None
