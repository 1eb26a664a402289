"""Which findings each specialist is shown in the challenge round (R14): one line for all, full text for its own domains."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from counterproof.model.review.comment import EXTERNAL
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.profile import Specialist

CHARACTERS_PER_TOKEN = 4
READERS = ("logic", "solid", "boundaries", "injection", "scope", "integration")
"""Domains whose specialist is the second reader of others' findings: the first one present that is not the author."""


@dataclass(frozen=True, slots=True)
class Routed:
    """The findings shown to one specialist. `lines` are the summary lines of every finding; `full` the ids shown in full."""

    specialist: str
    lines: tuple[str, ...]
    full: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Savings:
    """The tokens saved by routing, compared with showing everything to everyone."""

    routed: int
    broadcast: int


def summary_line(finding: ReviewFinding) -> str:
    return f"{finding.id} [{finding.shown.value}] {finding.domain} {finding.location}: {finding.title}"


def whole(finding: ReviewFinding) -> str:
    """The text of a finding for a challenger: checked fields, no markers, no reasoning (R9)."""
    twins = (f"{each.specialist} at {each.location}: {each.title}" for each in finding.twins)
    said = (summary_line(finding), finding.evidence, finding.impact_chain, finding.fix, *twins)
    return "\n".join(each for each in said if each.strip())


def routed(specialist: Specialist, findings: Iterable[ReviewFinding], asked: Collection[str] = ()) -> Routed:
    """Others' findings; in full those of its domains, those it asked for, and external comments, which have no domain."""
    others = tuple(each for each in findings if each.specialist != specialist.code)
    full = tuple(each.id for each in others if specialist.knows(each.domain) or each.id in asked or each.specialist == EXTERNAL)
    return Routed(specialist.code, tuple(summary_line(each) for each in others), full)


def second_reader(team: Sequence[Specialist], author: str) -> str:
    """The specialist that reads this author's findings whatever their domain; '' if none is left."""
    fitting = (each for domain in READERS for each in team if domain in each.primary and each.code != author)
    other = next((each for each in team if each.code != author), None)
    found = next(fitting, other)
    return found.code if found is not None else ""


def savings(views: Iterable[Routed], findings: Iterable[ReviewFinding]) -> Savings:
    """The savings of routing, measured in characters / 4 of the texts."""
    every = {each.id: each for each in findings}
    spent = total = 0
    for view in views:
        spent += sum(map(len, view.lines)) + sum(len(whole(every[each])) for each in view.full if each in every)
        total += sum(len(whole(each)) for each in every.values() if each.specialist != view.specialist)
    return Savings(spent // CHARACTERS_PER_TOKEN, total // CHARACTERS_PER_TOKEN)
