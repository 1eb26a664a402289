"""The report on all targets as data, with its JSON form and schema.

Values are exact, as in a run's own report. Unlike a run's report, this one contains times.
"""

from dataclasses import dataclass
from typing import Final

from counterproof import __version__
from counterproof.model.batch import Order, Outcome, Row, State, distinct_names, exit_of, spent_of, trend
from counterproof.model.budget import dollars
from counterproof.model.canonical import plain
from counterproof.model.receipt import PRECEDENCE, Exit
from counterproof.reports.inert import json_text

SCHEMA_VERSION: Final = "1.0"
PAGE: Final = "report.html"


@dataclass(frozen=True, slots=True)
class BatchReport:
    """The current state of a batch. `before` has for each row its target's result in the last finished batch of the same list;
    `compared`: there was such a batch."""

    order: Order
    started: str
    ended: str
    rows: tuple[Row, ...]
    before: tuple[Outcome | None, ...]
    compared: bool


@dataclass(frozen=True, slots=True)
class Counts:
    """Findings that were not accepted, by severity; posture separately."""

    critical: int
    high: int
    medium: int
    low: int
    posture: int


@dataclass(frozen=True, slots=True)
class BatchTarget:
    """One target. `result` names every kind of reason that applied, the one that sets the exit code first. `new` and `gone`
    are findings compared with the last finished batch of the same list, null if there is nothing to compare with. `report` is
    the target's own page, relative to this file; '' if there is none, and `verdict` says why."""

    target: str
    name: str
    revision: str
    options: tuple[str, ...]
    state: str
    exit_code: int
    result: str
    verdict: str
    counts: Counts
    covered: int
    counted: int
    limits: tuple[str, ...]
    tokens: int
    cost_usd: str
    seconds: float
    new: int | None
    gone: int | None
    commit: str
    run: str
    report: str


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of all targets. `states` counts them by status."""

    targets: int
    states: dict[str, int]
    counts: Counts
    tokens: int
    cost_usd: str
    new: int | None
    gone: int | None


@dataclass(frozen=True, slots=True)
class BatchDocument:
    """Every target of a batch, most severe first, with the combined exit code. `ended` is '' while targets are unfinished."""

    schema_version: str
    batch: str
    list: str
    version: str
    started: str
    ended: str
    exit_code: int
    exit: str
    totals: Totals
    targets: tuple[BatchTarget, ...]


def document(report: BatchReport) -> BatchDocument:
    """The whole document."""
    names = distinct_names(report.order.targets)
    rows = tuple(_target(row, names[row.target.id], report.before[place]) for place, row in enumerate(report.rows))
    spent, code = spent_of(report.rows), exit_of(report.rows)
    states = {state.value: sum(each.state == state for each in rows) for state in State}
    totals = Totals(
        targets=len(rows),
        states={name: number for name, number in states.items() if number},
        counts=_counts(tuple(sum(figures) for figures in zip(*(_figures(each.counts) for each in rows), strict=True))),
        tokens=spent.tokens,
        cost_usd=dollars(spent.micros).removeprefix("$"),
        new=sum(each.new or 0 for each in rows) if report.compared else None,
        gone=sum(each.gone or 0 for each in rows) if report.compared else None,
    )
    return BatchDocument(
        schema_version=SCHEMA_VERSION,
        batch=report.order.id,
        list=report.order.name,
        version=__version__,
        started=report.started,
        ended=report.ended,
        exit_code=int(code),
        exit=code.name.lower(),
        totals=totals,
        targets=tuple(sorted(rows, key=_gravity)),
    )


def _counts(figures: tuple[int, ...]) -> Counts:
    critical, high, medium, low, posture = figures
    return Counts(critical, high, medium, low, posture)


def _figures(counts: Counts) -> tuple[int, ...]:
    return (counts.critical, counts.high, counts.medium, counts.low, counts.posture)


def _gravity(row: BatchTarget) -> tuple[object, ...]:
    """Sort key: targets without a report first, then those with the most severe and most findings."""
    return (bool(row.report), *(-each for each in _figures(row.counts)), row.name, row.target)


def _target(row: Row, name: str, before: Outcome | None) -> BatchTarget:
    outcome = row.outcome if row.outcome else Outcome(int(Exit.PAUSED), f"not audited yet: {row.state.value}")
    since = trend(row.outcome, before)
    codes = {Exit(each) for each in outcome.codes or (outcome.exit_code,)}
    return BatchTarget(
        target=row.target.source,
        name=name,
        revision=row.target.revision,
        options=row.target.options,
        state=row.state.value,
        exit_code=outcome.exit_code,
        result=", ".join(code.name.lower().replace("_", " ") for code in PRECEDENCE if code in codes),
        verdict=outcome.verdict,
        counts=_counts((*outcome.counts, outcome.posture)),
        covered=outcome.coverage[0],
        counted=outcome.coverage[1],
        limits=outcome.limits,
        tokens=0 if row.state is State.UNCHANGED else outcome.cost.tokens,
        cost_usd=dollars(0 if row.state is State.UNCHANGED else outcome.cost.micros).removeprefix("$"),
        seconds=outcome.seconds,
        new=since.new if since.known else None,
        gone=since.gone if since.known else None,
        commit=row.job.commit if row.job else "",
        run=outcome.run,
        report=f"{outcome.folder}/{PAGE}" if outcome.folder else "",
    )


def render_json(made: BatchDocument) -> str:
    """The JSON text, with a newline at its end."""
    return json_text(plain(made)) + "\n"
