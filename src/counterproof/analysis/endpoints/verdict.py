"""Whether something checks who is calling, with what says so. What could not be decided is unknown, never absent."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from counterproof.analysis.program.words import vocabulary, words
from counterproof.model.location import Location, at
from counterproof.model.recon import KNOWS_CALLER, Asks, Guard, GuardEvidence, GuardKind, WrittenGuard


@dataclass(frozen=True, slots=True)
class Verdict:
    """`by` is what decided; None where nothing was found. `written` are all guards that were seen on the way."""

    guard: Guard
    by: GuardEvidence | None = None
    written: tuple[WrittenGuard, ...] = ()

    @property
    def parts(self) -> tuple[Guard, str, GuardEvidence | None, bool, tuple[WrittenGuard, ...]]:
        """The last five fields of an entry point."""
        return self.guard, str(self.by or ""), self.by, False, self.written

    def understood(self, written: WrittenGuard) -> "Verdict":
        """The verdict once its only guard was read: one that does not ask who is calling is none (A16)."""
        written = replace(written, partly=written.partly or any(each.partly for each in self.written))
        if written.asks in KNOWS_CALLER and not written.partly and self.by is not None:
            return Verdict(Guard.PRESENT, self.by, (written,))
        if written.asks in (Asks.ADDRESS, Asks.NOTHING):
            return Verdict(Guard.ABSENT, self.by, (written,))
        return replace(self, written=(written,))


_RIGHTS = vocabulary("admin administrator role roles staff superuser permission permissions")
"""Words of guards that ask for more than a login."""

OPEN = Verdict(Guard.ABSENT)
NOT_ANALYSED = "not analysed in this language"
MAX_WRITTEN = 200
"""Characters of a guard as the code writes it."""


def present(
    path: str, line: int, symbol: str, note: str = "", kind: GuardKind = GuardKind.NAMED, defined: Location | None = None
) -> Verdict:
    place = at(path, line)
    return Verdict(Guard.PRESENT, GuardEvidence(place, symbol, kind, defined, note), (WrittenGuard(place),))


def unknown(path: str, line: int, note: str, symbol: str = "", defined: Location | None = None, partly: bool = False) -> Verdict:
    """`partly`: it lets some callers or paths pass unasked."""
    place = at(path, line)
    return Verdict(Guard.UNKNOWN, GuardEvidence(place, symbol, defined=defined, note=note), (WrittenGuard(place, partly=partly),))


def unplaced(path: str, line: int, note: str) -> Verdict:
    """The way to a handler is not certain. That is no guard, so none is written."""
    return Verdict(Guard.UNKNOWN, GuardEvidence(at(path, line), note=note))


def left_open(note: str) -> Verdict:
    """A way in that the code alone does not decide about."""
    return Verdict(Guard.UNKNOWN, GuardEvidence(note=note))


def as_written(path: str, line: int, text: str) -> Verdict:
    """What stands before an entry point in a language whose guards are read as text and not judged."""
    shown, place = " ".join(text.split())[:MAX_WRITTEN], at(path, line)
    evidence = GuardEvidence(place, shown, note=f"{shown}: {NOT_ANALYSED}")
    return Verdict(Guard.UNKNOWN, evidence, (WrittenGuard(place, shown, Asks.NOT_ANALYSED),))


UNREAD = left_open(NOT_ANALYSED)
"""Nothing was read before an entry point in such a language."""
LOCAL = left_open("whoever can run programs on the machine")
QUEUED = left_open("whoever can put messages on the queue")
CLOCK = left_open("started by a clock")


def asked_words(by: GuardEvidence | None) -> frozenset[str]:
    """What the code says that a guard asks for, in words."""
    if by is None:
        return frozenset()
    return frozenset((*words(by.symbol), *(("permission",) if by.kind is GuardKind.PERMISSION else ())))


def strongest(verdicts: Iterable[Verdict]) -> Verdict:
    """One guard on the way is enough, and of several the one that asks for most; failing that, one doubt is enough to leave the
    question open."""
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
    """Several guards that are not judged, listed at the place of the first; None for fewer than two."""
    texts = tuple(dict.fromkeys(each.symbol for each in written if each.symbol))
    first = written[0].at if written else None
    return as_written(first.path, first.start, ", ".join(texts)) if first is not None and len(texts) > 1 else None
