"""Measures how specific a plan is and how much work its verification takes (P2)."""

from dataclasses import dataclass

from counterproof.model.plan.iteration import Quality, Team
from counterproof.model.plan.outline import Mention, PlanOutline

MAX_STEPS = 3
MAX_DOMAINS = 3
MANY_FILES = 10
BASE_BELOW = 7
BASE_UNKNOWNS = 3

TRIVIAL_WORDS = 60
RICH_STEPS = 3
RICH_FILES = 2


@dataclass(frozen=True, slots=True)
class Complexity:
    """The score with its parts, so that the report can show the sum."""

    parts: tuple[tuple[str, int], ...]
    unknown_signals: int

    @property
    def total(self) -> int:
        return sum(points for _, points in self.parts)


def complexity(outline: PlanOutline) -> Complexity:
    """The protocol's arithmetic."""
    parts = (
        ("steps", min(len(outline.steps), MAX_STEPS)),
        ("domains", min(len(outline.domains), MAX_DOMAINS)),
        ("external systems", 2 if outline.systems else 0),
        ("compliance", 2 if outline.compliance else 0),
        ("unknown signals", len(outline.signals)),
        ("referenced files", 1 if len(outline.files) >= MANY_FILES else 0),
    )
    return Complexity(parts, len(outline.signals))


def quality(outline: PlanOutline, contradicted: bool = False) -> Quality:
    """TRIVIAL: one small step that names nothing risky and that the repository does not contradict. THIN: nothing checkable.
    RICH: steps, files and a command."""
    risky = outline.systems or outline.compliance or outline.signals or len(outline.domains) > 1 or contradicted
    if outline.words <= TRIVIAL_WORDS and len(outline.steps) <= 1 and len(outline.files) <= 1 and not risky:
        return Quality.TRIVIAL
    verified = any(each.kind is Mention.COMMAND for each in outline.named)
    if len(outline.steps) >= RICH_STEPS and len(outline.files) >= RICH_FILES and verified:
        return Quality.RICH
    return Quality.ADEQUATE if outline.steps and outline.named else Quality.THIN


def team(kind: Quality, measured: Complexity, wanted: Team | None = None, threshold: int | None = None) -> Team:
    """The user's choice first; a thin plan gets the base team; otherwise by complexity and unknowns."""
    if wanted is not None:
        return wanted
    below = measured.total < (BASE_BELOW if threshold is None else threshold)
    if kind is Quality.THIN or (below and measured.unknown_signals <= BASE_UNKNOWNS):
        return Team.BASE
    return Team.SCALED
