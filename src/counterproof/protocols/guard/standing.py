"""Who proved, who disputes, and what a word needs to count (A53, A54, R36, R37, R41): one rule for audit, review and plan.

What an analyst proved falls only by a defence that the engine confirms; whoever speaks against it without one makes it disputed.
A model's word, for or against, counts when it had the claim and its code before it, quotes that code, and names a reason that the
syntax of the line bears out. What lacks one of these is an abstention. Where the text under review orders its readers about, a
model's word against a claim needs an analyst or a model of another provider beside it.

Invariant: pure and total; `Backing` is what the engine saw when it checked, never what an agent said of itself. How votes are
counted where nobody proved anything does not belong here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.backing import FULL, Backing

__all__ = ["FULL", "Backing", "Side", "Standing", "Word", "counted", "counts", "lacking", "standing"]


class Side(StrEnum):
    """Where somebody stands on a claim."""

    FOR = "for"
    AGAINST = "against"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Word:
    """One position. `model` names who said it as provider:model; '' is an analyst."""

    who: str
    side: Side
    backing: Backing = FULL
    model: str = ""

    @property
    def provider(self) -> str:
        return self.model.partition(":")[0]


class Standing(StrEnum):
    """What the rule makes of a claim. OPEN: nobody proved it and somebody speaks against it, so the protocol's votes decide."""

    STANDS = "stands"
    DISPUTED = "disputed"
    REFUTED = "refuted"
    OPEN = "open"


def lacking(word: Word) -> str:
    """Why a word does not count; '' where it does."""
    if word.side is Side.SILENT:
        return "it takes no side"
    if not word.model or (word.side is Side.AGAINST and word.backing.confirmed):
        return ""
    if not word.backing.opened:
        return "the finding and its code were not opened"
    if not word.backing.quoted:
        return "what it quotes does not stand in that code"
    return "" if word.backing.holds else "its reason is not what the line does"


def counts(word: Word) -> bool:
    return not lacking(word)


def counted(words: Iterable[Word], swayed: bool = False) -> tuple[Word, ...]:
    """The words that count. `swayed`: the text under review orders its readers about."""
    heard = tuple(word for word in words if counts(word))
    return tuple(word for word in heard if not swayed or _believed(word, heard))


def _believed(word: Word, heard: tuple[Word, ...]) -> bool:
    if word.side is not Side.AGAINST or not word.model or word.backing.confirmed:
        return True
    return any(other.side is Side.AGAINST and other.provider != word.provider for other in heard)


def standing(proved: bool, words: Iterable[Word], swayed: bool = False) -> Standing:
    """What becomes of a claim. `proved`: an analyst found it; an analyst who agrees with a model's claim proves it as well."""
    heard = counted(words, swayed)
    against = [word for word in heard if word.side is Side.AGAINST]
    if any(word.backing.confirmed for word in against):
        return Standing.REFUTED
    if not against:
        return Standing.STANDS
    shown = proved or any(word.side is Side.FOR and not word.model for word in heard)
    return Standing.DISPUTED if shown else Standing.OPEN
