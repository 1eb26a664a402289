"""The plan that a user confirms: agents, dimensions, turns, rounds, gate and estimate (A4, A12, A21, A22)."""

from dataclasses import dataclass, replace

from counterproof.model.contract import AgentTask, Ask, Limits, Role
from counterproof.model.dimension import Dimension, Track
from counterproof.model.survey import Language
from counterproof.protocols.audit.methods import method_of
from counterproof.protocols.audit.modes import TINY_LOC, Mode

FIRST_ROUND_TURNS = 25
USUAL_TURNS = 10
TOKENS_IN = 36_000
TOKENS_OUT = 900
"""The usual output of a model's turn; input counts the opening and the whole conversation at every turn. Cached tokens cost
less than this estimate."""
REDUCED_FINDINGS = 5


@dataclass(frozen=True, slots=True)
class Estimate:
    """The possible cost of the run. Embedded analysts cost neither tokens nor money. `cost_usd` is '' if a price is unknown."""

    tokens: int
    cost_usd: str
    limit: str = ""

    @property
    def text(self) -> str:
        money = f"${self.cost_usd}" if self.cost_usd else "an unknown price"
        return f"about {self.tokens:,} tokens, {money}, if one round is enough; {self.limit or 'no budget was set'}"


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan, made before anything runs."""

    mode: Mode
    stack: str
    checklist: str
    dimensions: tuple[Dimension, ...]
    tasks: tuple[AgentTask, ...]
    rounds: str
    report_gate: str
    estimate: Estimate
    modes: tuple[str, ...] = ()
    """What each mode would do here, one line each."""


def agent_count(mode: Mode, loc: int, shares: int) -> int:
    """The number of hunters (A21): `shares` is the number of separable parts of the work, so that no agent is idle."""
    if loc < TINY_LOC:
        return 1
    if mode is Mode.QUICK or loc < 10_000:
        low, high = 2, 3
    elif loc <= 100_000:
        low, high = 3, 5
    else:
        low, high = 5, 9
    return max(low, min(high, shares))


def tool_call_limit(loc: int) -> int:
    """The limit on search and read calls of one agent (A22)."""
    if loc < 10_000:
        return 60
    return 80 if loc <= 50_000 else 100


def split(
    languages: tuple[Language, ...], dimensions: tuple[Dimension, ...], count: int
) -> tuple[tuple[tuple[Language, ...], tuple[Dimension, ...]], ...]:
    """Split the work along languages before dimensions (A12), then along tracks; at most `count` parts."""
    groups = languages_in_groups(languages, count)
    per_language = max(1, count // len(groups))
    parts: list[tuple[tuple[Language, ...], tuple[Dimension, ...]]] = []
    for position, group in enumerate(groups):
        extra = 1 if position < count - per_language * len(groups) else 0
        parts.extend((group, piece) for piece in dimensions_in_groups(dimensions, per_language + extra))
    return tuple(parts)


def languages_in_groups(languages: tuple[Language, ...], count: int) -> tuple[tuple[Language, ...], ...]:
    """One language per agent while agents last; the smallest languages share the last agent."""
    if len(languages) <= count:
        return tuple((language,) for language in languages)
    return (*((language,) for language in languages[: count - 1]), languages[count - 1 :])


def dimensions_in_groups(dimensions: tuple[Dimension, ...], count: int) -> tuple[tuple[Dimension, ...], ...]:
    """Dimensions grouped by track, then balanced into at most `count` non-empty groups."""
    by_track = sorted(dimensions, key=lambda dimension: (list(Track).index(dimension.track), dimension.order))
    count = min(count, len(by_track))
    size, rest = divmod(len(by_track), count)
    groups: list[tuple[Dimension, ...]] = []
    start = 0
    for position in range(count):
        end = start + size + (1 if position < rest else 0)
        groups.append(tuple(sorted(by_track[start:end], key=lambda dimension: dimension.order)))
        start = end
    return tuple(groups)


def kind_of(model: str) -> str:
    """The prefix of this worker's agent names. Analysts have the same names whether or not models take part (A52)."""
    return "model" if model else "agent"


def first_round(
    mode: Mode,
    loc: int,
    languages: tuple[Language, ...],
    dimensions: tuple[Dimension, ...],
    beside: tuple[Language, ...] = (),
) -> tuple[AgentTask, ...]:
    """The analysts of round 1, with deterministic ids. Languages too small for agents of their own (`beside`) go to the first
    one."""
    shares = len(languages) * len(list(Track))
    parts = split(languages, dimensions, agent_count(mode, loc, shares))
    limits = Limits(FIRST_ROUND_TURNS, tool_call_limit(loc))
    return tuple(
        AgentTask(
            id=f"{kind_of('')}-r1-{number:02}/attempt-1",
            agent_id=f"{kind_of('')}-r1-{number:02}",
            role=Role.HUNTER,
            round=1,
            attempt=1,
            dimensions=dims,
            languages=(*langs, *beside) if langs[0] is languages[0] else langs,
            limits=limits,
            method=method_of(1),
        )
        for number, (langs, dims) in enumerate(parts, 1)
    )


def second_attempt(task: AgentTask, halved: bool) -> AgentTask:
    """The single retry (A25, A26): unchanged after a failure, with half the dimensions and turns after a truncation without
    identification."""
    halved_dimensions = halved and task.ask is Ask.ASSIGNED  # other questions get half of the source instead (A61)
    dimensions = task.dimensions[: max(1, len(task.dimensions) // 2)] if halved_dimensions else task.dimensions
    turns = task.limits.turns // 2 if halved else task.limits.turns
    return replace(
        task,
        id=f"{task.agent_id}/attempt-{task.attempt + 1}",
        attempt=task.attempt + 1,
        dimensions=dimensions,
        limits=replace(task.limits, turns=turns, findings=REDUCED_FINDINGS if halved else task.limits.findings),
    )
