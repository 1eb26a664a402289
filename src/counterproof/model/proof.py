"""What a finding rests on (A55): checked facts, typed assumptions, and the guards that were considered.

A proof has a shape, and a shape has parts that it cannot do without. Whatever is missing or assumed is an open point, which says
how sure we are of the finding and never how bad it is. Facts come from whoever found the weakness; whether they hold is written
in by the checker alone (`refuted`, `checked`).

Not handled here: reading source, wording for people, calibration.
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
    """What a fact is in its proof. HANDLER is the function that answers the entry; data need not pass through its first line.
    PEER is another entry that does the same to the same thing and has the guard that is missing."""

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
"""Parts without which a proof of this shape is open. The sink of a missing guard is what the guard would protect."""


class Guess(StrEnum):
    """Why something had to be assumed."""

    NAME = "guessed from a name"
    UNRESOLVED_CALL = "a call that was not resolved"
    UNKNOWN_RECEIVER = "a receiver whose type is not known"
    UNKNOWN_CALLER = "a caller that is not known"
    UNKNOWN_AUTHOR = "who made the document or the answer is not known"
    INTENDED_USE = "whether callers mean it so is not known"
    UNKNOWN_REACH = "who gets there is not known"
    BROKEN_FLOW = "the data was not followed all the way"
    UNSEEN_SETTING = "a setting that the code does not show"
    MEANT_OPEN = "whether it is open on purpose is not known"
    UNSEEN_GUARD = "a guard that was not understood"
    OUTER_GUARD = "a guard outside the code that was read"
    NO_SIBLING = "no entry of its kind asks for it"
    UNKNOWN_USE = "whether the value is used is not known"
    FILE_ROLE = "what the file is for"
    MISSING_PART = "a part of the proof is missing"
    REFUTED_FACT = "a fact that the source does not bear out"
    NO_ANALYST = "no analyst reads this language"


NEVER_SETTLED = (Guess.MEANT_OPEN, Guess.OUTER_GUARD)
"""Assumptions that no line of code could settle. A report says them once, and no finding is less sure for them."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing that was not seen. `about` names it (a call, a receiver, a route), as the code does."""

    guess: Guess
    about: str = ""
    at: Location | None = None

    def __str__(self) -> str:
        about = f" ({self.about})" if self.about else ""
        return f"{self.guess.value}{about}"


class Verdict(StrEnum):
    """Why a guard that was considered does not stop the attack. STOPS is what a refutation needs, and rules a finding out."""

    STOPS = "stops it"
    OTHER_VALUE = "acts on another value"
    OTHER_ATTACK = "is no defence against this"
    AFTER_USE = "comes after the use"
    NOT_ON_PATH = "is not on every way to the sink"
    BYPASSABLE = "can be bypassed"
    LETS_IN = "does not stop this attacker"
    ABSENT = "not found"

    @classmethod
    def _missing_(cls, value: object) -> "Verdict | None":
        """What earlier versions wrote."""
        return {
            "is passed by everybody whom the reachability below names": cls.LETS_IN,
            "was looked for and is not there": cls.ABSENT,
        }.get(str(value))


@dataclass(frozen=True, slots=True)
class ConsideredGuard:
    """A guard or sanitiser on the way, or the one that was looked for. `at` is None where it is absent, and where the value is
    known to have passed it but not in which line."""

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
    """A fact and what it is in the proof."""

    part: Part
    fact: Fact


@dataclass(frozen=True, slots=True)
class Proof:
    """Entry first, sink last. `advisory` names the known flaw. `checked`: the checker read every fact; `refuted`: those facts
    that the source does not bear out."""

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
        """Parts that its shape asks for and that it does not have."""
        present = {link.part for link in self.links}
        return tuple(part for part in REQUIRED[self.shape] if part not in present)

    @property
    def open_points(self) -> tuple[Assumption, ...]:
        """Everything between this proof and certainty that code could settle, whoever left it open. That a guard is missing by
        mistake is shown only by another entry that has it, so a proof that may be meant open has an open point without one."""
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
        """What no code could settle."""
        return tuple(each for each in self.assumptions if each.guess in NEVER_SETTLED)

    @property
    def whole(self) -> bool:
        return self.checked and not self.open_points


def strength(proof: Proof | None) -> tuple[bool, int]:
    """How much a proof shows, to compare two of one weakness: a checked one more than a stated one, fewer open points more."""
    return (proof.checked, -len(proof.open_points)) if proof is not None else (False, -1_000)
