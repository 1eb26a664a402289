"""The evidence for a finding (A55): checked facts, typed assumptions, and the guards that were considered.

A proof has a shape, and each shape has required parts. Missing and assumed parts are open points, which affect the confidence of
the finding and never its severity. The finder supplies the facts; only the checker sets whether they hold (`refuted`, `checked`).

Not handled here: reading source, wording, calibration.
"""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.fact import Fact
from counterproof.model.location import Location


class Shape(StrEnum):
    """The kinds of proof."""

    FLOW = "flow"
    MISSING_GUARD = "missing guard"
    STORED_VALUE = "stored value"
    KNOWN_FLAW = "known flaw"


class Part(StrEnum):
    """The role of a fact in its proof. HANDLER is the function that serves the entry point; data need not pass through its first
    line. PEER is another entry point that does the same to the same object and has the guard that is missing here."""

    HANDLER = "handler"
    ENTRY = "entry"
    STEP = "step"
    PEER = "peer"
    SINK = "sink"
    VALUE = "value"
    USE = "use"
    PACKAGE = "package"


REQUIRED: dict[Shape, tuple[Part, ...]] = {
    Shape.FLOW: (Part.ENTRY, Part.SINK),
    Shape.MISSING_GUARD: (Part.ENTRY, Part.SINK),
    Shape.STORED_VALUE: (Part.VALUE, Part.USE),
    Shape.KNOWN_FLAW: (Part.PACKAGE,),
}
"""The parts without which a proof of this shape is open. The sink of a missing guard is what the guard would protect."""


class Guess(StrEnum):
    """Why something had to be assumed."""

    NAME = "guessed from a name"
    UNRESOLVED_CALL = "a call that was not resolved"
    UNKNOWN_RECEIVER = "a receiver whose type is not known"
    UNKNOWN_CALLER = "a caller that is not known"
    UNKNOWN_AUTHOR = "who wrote the document or response is not known"
    INTENDED_USE = "callers may rely on this on purpose"
    OWN_CALLERS = "only the program itself may call this"
    UNKNOWN_REACH = "who can reach it is not known"
    BROKEN_FLOW = "the data was not followed all the way"
    UNSEEN_SETTING = "a setting that the code does not show"
    MEANT_OPEN = "whether it is open on purpose is not known"
    UNSEEN_GUARD = "a guard that was not understood"
    OUTER_GUARD = "a guard outside the code that was read"
    NO_SIBLING = "no similar entry point asks for it"
    UNKNOWN_USE = "whether the value is used is not known"
    FILE_ROLE = "what the file is for"
    MISSING_PART = "a part of the proof is missing"
    REFUTED_FACT = "a fact that the source does not confirm"
    NO_ANALYST = "no analyst reads this language"


_WHO = (Guess.UNKNOWN_REACH, Guess.UNKNOWN_CALLER, Guess.UNSEEN_GUARD)
"""Assumptions about who can reach a sink."""

NO_SENDER = (Guess.INTENDED_USE, Guess.OWN_CALLERS)
"""Assumptions with which nobody is known who could send the value and should not."""

NEVER_SETTLED = (Guess.MEANT_OPEN, Guess.OUTER_GUARD)
"""Assumptions that no line of code can settle. A report states them once, and they do not lower any finding's confidence."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing that the analysis could not see. `about` is its name in the code (a call, a receiver, a route)."""

    guess: Guess
    about: str = ""
    at: Location | None = None

    def __str__(self) -> str:
        about = f" ({self.about})" if self.about else ""
        return f"{self.guess.value}{about}"


class Verdict(StrEnum):
    """Why a considered guard does not stop the attack. STOPS is required for a refutation and rules the finding out."""

    STOPS = "stops it"
    OTHER_VALUE = "acts on another value"
    OTHER_ATTACK = "does not defend against this"
    AFTER_USE = "comes after the use"
    NOT_ON_PATH = "is not on every path to the sink"
    BYPASSABLE = "can be bypassed"
    LETS_IN = "does not stop this attacker"
    ABSENT = "not found"

    @classmethod
    def _missing_(cls, value: object) -> "Verdict | None":
        """Accept the values of earlier versions."""
        return {
            "lets through everybody who can reach the entry point": cls.LETS_IN,
            "was searched for and is missing": cls.ABSENT,
        }.get(str(value))


@dataclass(frozen=True, slots=True)
class ConsideredGuard:
    """A guard or sanitiser on the path, or the expected one that is missing. `at` is None if it is absent, or if the value is
    known to have passed it but the line is not known."""

    name: str
    verdict: Verdict
    at: Location | None = None

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidValue("a considered guard has a name")
        if self.at is None and self.verdict not in (Verdict.ABSENT, Verdict.OTHER_ATTACK):
            raise InvalidValue(f"the guard {self.name!r} was seen, so it has a place")


@dataclass(frozen=True, slots=True)
class Link:
    """A fact and its role in the proof."""

    part: Part
    fact: Fact


@dataclass(frozen=True, slots=True)
class Proof:
    """Entry first, sink last. `advisory` is the known vulnerability. `checked`: the checker read every fact; `refuted`: the facts
    that the source contradicts."""

    shape: Shape
    links: tuple[Link, ...]
    guards: tuple[ConsideredGuard, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    advisory: str = ""
    checked: bool = False
    refuted: tuple[Fact, ...] = ()

    def __post_init__(self) -> None:
        if not self.links and not self.assumptions:
            raise InvalidValue("a proof states facts or says what it assumes")

    @property
    def missing(self) -> tuple[Part, ...]:
        """The parts that its shape requires and that it lacks."""
        present = {link.part for link in self.links}
        return tuple(part for part in REQUIRED[self.shape] if part not in present)

    @property
    def open_points(self) -> tuple[Assumption, ...]:
        """Everything that code could settle and that is still open. Only another entry point that has the guard shows that a
        guard is missing by mistake; without one, a proof for something that may be intentionally open has an open point."""
        stated = tuple(each for each in self.assumptions if each.guess not in NEVER_SETTLED)
        gaps = tuple(Assumption(Guess.MISSING_PART, part.value) for part in self.missing)
        wrong = tuple(Assumption(Guess.REFUTED_FACT, str(fact), fact.at) for fact in self.refuted)
        return (*stated, *gaps, *wrong, *self._siblings())

    def _siblings(self) -> tuple[Assumption, ...]:
        meant = any(each.guess is Guess.MEANT_OPEN for each in self.assumptions)
        alone = all(link.part is not Part.PEER for link in self.links)
        return (Assumption(Guess.NO_SIBLING),) if self.shape is Shape.MISSING_GUARD and meant and alone else ()

    @property
    def presumed(self) -> tuple[Assumption, ...]:
        """The assumptions that no code can settle."""
        return tuple(each for each in self.assumptions if each.guess in NEVER_SETTLED)

    @property
    def whole(self) -> bool:
        return self.checked and not self.open_points


def strength(proof: Proof | None) -> tuple[bool, int]:
    """Sort key for two proofs of one weakness: checked before unchecked, then fewer open points."""
    return (proof.checked, -len(proof.open_points)) if proof is not None else (False, -1_000)


def shows_reach(proof: Proof) -> bool:
    """True if a checked proof leads from an entry to the sink and leaves no point open about who can reach it."""
    entered = any(link.part in (Part.ENTRY, Part.HANDLER) for link in proof.links)
    return proof.checked and entered and not any(each.guess in _WHO for each in proof.open_points)
