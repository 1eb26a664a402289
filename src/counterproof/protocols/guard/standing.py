"""Which claims are proved or disputed, and what makes a position count (A53, A54, R36, R37, R41): one rule for audit, review
and plan.

An analyst's proved claim is refuted only by a defence that the engine confirms; opposition without one makes it disputed. A
model's position, for or against, counts if the model was shown the claim and its code, quotes that code, and names a reason
that the syntax of the line confirms and that says more than the claim. Otherwise it is an abstention. If the text under review
contains orders to its readers, a model's position against a claim also needs an analyst or a model of another provider.

Invariant: pure and total; `Backing` holds the engine's own checks, never an agent's statement about itself. Not handled here:
counting votes on claims that nobody proved.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.backing import FULL, Backing

__all__ = ["FULL", "Backing", "Side", "Standing", "Word", "counted", "counts", "lacking", "standing"]


class Side(StrEnum):
    """The side that an agent takes on a claim."""

    FOR = "for"
    AGAINST = "against"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Word:
    """One position. `model` is its author as provider:model; '' is an analyst."""

    who: str
    side: Side
    backing: Backing = FULL
    model: str = ""

    @property
    def provider(self) -> str:
        return self.model.partition(":")[0]


class Standing(StrEnum):
    """The result for a claim. OPEN: nobody proved it and somebody opposes it, so the protocol's votes decide."""

    STANDS = "stands"
    DISPUTED = "disputed"
    REFUTED = "refuted"
    OPEN = "open"


def lacking(word: Word) -> str:
    """Why a position does not count; '' if it does."""
    if word.side is Side.SILENT:
        return "it takes no side"
    if not word.model or (word.side is Side.AGAINST and word.backing.confirmed):
        return ""
    if not word.backing.opened:
        return "the agent did not open the finding and its code"
    if not word.backing.quoted:
        return "its quote is not in that code"
    return word.backing.weak if word.backing.holds else "its reason does not match the line"


def counts(word: Word) -> bool:
    return not lacking(word)


def counted(words: Iterable[Word], swayed: bool = False) -> tuple[Word, ...]:
    """The positions that count. `swayed`: the text under review contains orders to its readers."""
    heard = tuple(word for word in words if counts(word))
    return tuple(word for word in heard if not swayed or _believed(word, heard))


def _believed(word: Word, heard: tuple[Word, ...]) -> bool:
    if word.side is not Side.AGAINST or not word.model or word.backing.confirmed:
        return True
    return any(other.side is Side.AGAINST and other.provider != word.provider for other in heard)


def standing(proved: bool, words: Iterable[Word], swayed: bool = False) -> Standing:
    """The result for a claim. `proved`: an analyst found it; an analyst who agrees with a model's claim proves it too."""
    heard = counted(words, swayed)
    against = [word for word in heard if word.side is Side.AGAINST]
    if any(word.backing.confirmed for word in against):
        return Standing.REFUTED
    if not against:
        return Standing.STANDS
    shown = proved or any(word.side is Side.FOR and not word.model for word in heard)
    return Standing.DISPUTED if shown else Standing.OPEN
