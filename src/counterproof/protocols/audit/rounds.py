"""Decides when rounds stop, what the next round targets, and how many agents it gets (A33, A42 to A45).

Every path ends: rounds are limited by the mode, there is one emergency round, and after that a gate shortfall becomes a
recorded waiver.
"""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import CORE_DIMENSIONS, Dimension
from counterproof.protocols.audit import coverage
from counterproof.protocols.audit.coverage import Score
from counterproof.protocols.audit.modes import ROUND_LIMIT, Mode

MAX_GAPS = 2
TURNS = {1: 25, 2: 20, 3: 15}
EMERGENCY_TURNS = 15


class Next(StrEnum):
    """The step after an evaluation. Never the report."""

    NEXT_ROUND = "next round"
    EMERGENCY = "emergency round"
    DEEP_DIVE = "deep dive"


@dataclass(frozen=True, slots=True)
class Questions:
    """The three questions of a deep evaluation; True asks for another round (A45)."""

    unsearched: bool
    untraced_entries: bool
    open_combinations: bool

    @property
    def any(self) -> bool:
        return self.unsearched or self.untraced_entries or self.open_combinations


@dataclass(frozen=True, slots=True)
class Decision:
    """The next step, its reason, and the waiver if the gate to phase 3 is passed without being met."""

    next: Next
    reason: str
    waiver: str = ""


def uncovered_core(rows: tuple[DimensionCoverage, ...]) -> tuple[Dimension, ...]:
    """The dimensions among D1 to D3 that were never searched."""
    return tuple(row.dimension for row in rows if row.dimension in CORE_DIMENSIONS and row.status is Status.UNCOVERED)


def gate_shortfall(rows: tuple[DimensionCoverage, ...], score: Score, figures: bool = True) -> str:
    """Why the gate to phase 3 is not met; '' if it is (A33). `figures`: with the coverage at this point of the run."""
    reasons: list[str] = []
    if not score.met:
        now = f"coverage {score.covered} of {score.counted}, {score.threshold} needed"
        reasons.append(now if figures else "too few dimensions covered")
    core = uncovered_core(rows)
    if core:
        reasons.append(f"{', '.join(core)} uncovered")
    return "; ".join(reasons)


def converged(mode: Mode, number: int, rows: tuple[DimensionCoverage, ...], score: Score, questions: Questions) -> bool:
    """A42: few gaps, threshold met, core searched; deep also needs two rounds and three answers of no."""
    calm = len(coverage.gaps(rows)) <= MAX_GAPS and not gate_shortfall(rows, score)
    if mode is Mode.DEEP:
        return calm and number >= 2 and not questions.any
    return calm


def decide(
    mode: Mode,
    number: int,
    emergency_done: bool,
    obstacle: str,
    rows: tuple[DimensionCoverage, ...],
    score: Score,
    questions: Questions,
) -> Decision:
    """The step after round `number`. `obstacle` says why another round would be useless; '' if it may help (A23)."""
    if converged(mode, number, rows, score, questions):
        return Decision(Next.DEEP_DIVE, "converged")
    shortfall = gate_shortfall(rows, score)
    if number < ROUND_LIMIT[mode] and not obstacle and not emergency_done:
        return Decision(Next.NEXT_ROUND, shortfall or _why_go_on(mode, number, rows, questions))
    core = uncovered_core(rows)
    if core and not obstacle and not emergency_done:
        return Decision(Next.EMERGENCY, f"{', '.join(core)} uncovered at the round limit")
    at_limit = emergency_done or number >= ROUND_LIMIT[mode]
    stopped = "the round limit is reached" if at_limit else obstacle
    return Decision(Next.DEEP_DIVE, stopped, waiver=f"not met: {gate_shortfall(rows, score, figures=False)}" if shortfall else "")


def _why_go_on(mode: Mode, number: int, rows: tuple[DimensionCoverage, ...], questions: Questions) -> str:
    if mode is Mode.DEEP and number < 2:
        return "deep needs at least two rounds"
    answers = (
        (questions.unsearched, "planned areas are unsearched"),
        (questions.untraced_entries, "entry points are not traced to a sink"),
        (questions.open_combinations, "severe findings may combine across modules"),
    )
    said = [text for answer, text in answers if answer and mode is Mode.DEEP]
    return "; ".join(said) or f"{len(coverage.gaps(rows))} gaps are more than {MAX_GAPS}"


def hunters(rows: tuple[DimensionCoverage, ...]) -> int:
    """How many hunters the next round gets (A44)."""
    uncovered = sum(row.status is Status.UNCOVERED for row in rows)
    if uncovered >= 4 or any(critically_shallow(row) for row in rows):
        return 3
    return 2 if uncovered >= 2 else 1


def critically_shallow(row: DimensionCoverage) -> bool:
    """True for a core dimension that was searched without a complete trace or judged item."""
    bare = row.complete_traces == 0 and row.items_judged == 0
    return row.dimension in CORE_DIMENSIONS and row.status is Status.SHALLOW and bare


def targets(rows: tuple[DimensionCoverage, ...]) -> tuple[Dimension, ...]:
    """The target dimensions of the next round: gaps that another round can fill (A47)."""
    return gaps_left(rows)


def worth_another_look(rows: tuple[DimensionCoverage, ...]) -> tuple[Dimension, ...]:
    """The covered dimensions for a wider method if there are no gaps, without those that do not apply."""
    return tuple(row.dimension for row in rows if row.status is Status.COVERED)


def explanations(rows: tuple[DimensionCoverage, ...]) -> tuple[str, ...]:
    """The statements that A43 requires when rounds end with gaps: shallow core dimensions are explained, others marked.
    Reasons shared by several dimensions are stated once."""
    groups: dict[tuple[bool, str], list[str]] = {}
    for row in rows:
        if row.dimension in gaps_left((row,)):
            shallow_core = row.dimension in CORE_DIMENSIONS and row.status is Status.SHALLOW
            groups.setdefault((shallow_core, row.reason), []).append(f"{row.dimension.value} {row.dimension.label}")
    return tuple(
        f"{', '.join(names)} {'stayed shallow' if shallow else 'are not met' if len(names) > 1 else 'is not met'}: {reason}."
        for (shallow, reason), names in groups.items()
    )


def gaps_left(rows: tuple[DimensionCoverage, ...]) -> tuple[Dimension, ...]:
    """Gaps that must be explained: all except those whose missing input is outside the run."""
    return coverage.gaps(row for row in rows if not row.excluded)
