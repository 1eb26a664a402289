"""A batch of audits: the targets, the outcome of each, and the combined result.

Invariant: a job's key covers everything that its result depends on, so equal keys mean equal results; addresses are stored
without credentials; amounts are reserved before a job starts and settled when it ends, so that reserved and spent amounts
together never exceed a limit. Not handled here: where and how a job runs.
"""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from counterproof.model.budget import Limit
from counterproof.model.canonical import canonical, digest
from counterproof.model.errors import InvalidValue
from counterproof.model.receipt import PRECEDENCE, Exit
from counterproof.model.severity import Severity

LEVELS = tuple(Severity)
"""Most severe first."""


@dataclass(frozen=True, slots=True)
class Target:
    """One line of the list. `source` is a path or a git address without credentials, `options` are those of `audit`."""

    source: str
    revision: str = ""
    options: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Identifies the target across batches, independent of the state of its code."""
        return digest(canonical([self.source, self.revision, list(self.options)]))[:16]

    @property
    def name(self) -> str:
        """The display name: the last part of the path or address."""
        last = self.source.rstrip("/").removesuffix("/.git").rstrip("/").replace(":", "/").rpartition("/")[2]
        return last.removesuffix(".git") or self.source

    @property
    def folder(self) -> str:
        """The folder of its reports inside the batch's folder; the same in every batch."""
        plain = "".join(each if each.isascii() and (each.isalnum() or each in "._-") else "-" for each in self.name)
        return f"targets/{plain[:60].strip('.-') or 'target'}-{self.id[:8]}"

    @property
    def is_paid(self) -> bool:
        """True if models take part."""
        return any(each.partition("=")[0] == "--agents" for each in self.options)


def distinct_names(targets: tuple[Target, ...]) -> dict[str, str]:
    """Display names by target id: each name is extended to the left by as many path segments as make it unique."""
    named = {each.id: each.name for each in targets}
    for more in range(1, 4):
        twice = {name for name, number in Counter(named.values()).items() if number > 1}
        for each in targets:
            if named[each.id] in twice:
                parts = each.source.rstrip("/").replace(":", "/").split("/")
                named[each.id] = "/".join((*parts[-1 - more : -1], each.name))
    return named


@dataclass(frozen=True, slots=True)
class Job:
    """A target at one state of its code. `commit` is a commit hash, or a digest of the files if they are read in place."""

    key: str
    target: Target
    commit: str


def job_key(target: Target, commit: str, engine: str) -> str:
    """The digest of everything that a result depends on: code, options, and the engine with its rules, prompts and data."""
    return digest(canonical([target.source, commit, list(target.options), engine]))


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens and micro-dollars."""

    tokens: int = 0
    micros: int = 0

    def plus(self, other: "Spent") -> "Spent":
        return Spent(self.tokens + other.tokens, self.micros + other.micros)


ENDED_BY_SIGNAL = "the process was ended by signal {}"
"""The verdict of a job whose process died without leaving a result."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one job. `verdict` and `limits` are sentences; `counts` has one number for each of `LEVELS`, without
    accepted findings; `posture` is counted separately; `coverage` is (dimensions covered, dimensions counted). `findings` are
    fingerprints for comparison.

    `folder` is where the usual reports are, relative to the batch's folder; '' if there are none, and `verdict` says why.
    `run` is the id of the run; `codes` are all exit codes that applied, and `exit_code` the chosen one.
    """

    exit_code: int
    verdict: str
    counts: tuple[int, ...] = (0,) * len(LEVELS)
    posture: int = 0
    coverage: tuple[int, int] = (0, 0)
    limits: tuple[str, ...] = ()
    cost: Spent = field(default_factory=Spent)
    seconds: float = 0.0
    folder: str = ""
    run: str = ""
    findings: tuple[str, ...] = ()
    codes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.counts) != len(LEVELS) or min(self.counts) < 0 or self.posture < 0:
            raise InvalidValue("an outcome has a count for every severity")
        if self.exit_code not in tuple(Exit):
            raise InvalidValue(f"{self.exit_code} is not an exit code")

    @property
    def is_lasting(self) -> bool:
        """True if running the job again would give the same result; a job that was cut short may do better next time."""
        cut = {Exit.OVER_BUDGET, Exit.PAUSED, Exit.REFUSED, Exit.USAGE, Exit.INTERNAL}
        return bool(self.folder) and cut.isdisjoint(Exit(each) for each in self.codes)


class State(StrEnum):
    """Status of a target in a batch. The last three are final; a paused job continues with the next call."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    UNCHANGED = "unchanged"
    DONE = "done"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        return self in (State.UNCHANGED, State.DONE, State.FAILED)


@dataclass(frozen=True, slots=True)
class Row:
    """The current status of one target of a batch. `note` is its current activity; `run` the run to resume.

    `reserved` is the most that the job may cost; it counts as spent until the job ends.
    """

    position: int
    target: Target
    state: State = State.WAITING
    job: Job | None = None
    outcome: Outcome | None = None
    run: str = ""
    note: str = ""
    reserved: Limit = field(default_factory=Limit)


def run_name(order: "Order", row: Row) -> str:
    """The name under which a job's run is found again if the process that started it died."""
    return f"{order.id}/{row.position}/{row.job.key[:12] if row.job else ''}"


@dataclass(frozen=True, slots=True)
class Order:
    """A requested batch. `name` links it to batches of the same list. All limits but `target_seconds` are for the whole batch."""

    id: str
    name: str
    targets: tuple[Target, ...]
    budget: Limit = field(default_factory=Limit)
    jobs: int = 1
    target_seconds: int = 0
    batch_seconds: int = 0

    @property
    def digest(self) -> str:
        """Equal for the same targets and terms; an unfinished batch with the same digest is resumed."""
        limits = [self.budget.tokens, self.budget.micros]
        return digest(canonical([self.name, [each.id for each in self.targets], limits]))


def exit_of(rows: tuple[Row, ...]) -> Exit:
    """The combined exit code: the first in `PRECEDENCE` that any target has; PAUSED while any target is unfinished."""
    present = {Exit(row.outcome.exit_code) if row.outcome and row.state.ended else Exit.PAUSED for row in rows}
    return next((code for code in PRECEDENCE if code in present), Exit.CLEAN)


def spent_of(rows: tuple[Row, ...]) -> Spent:
    """The total cost of the jobs of this batch; an unchanged target costs nothing."""
    total = Spent()
    for row in rows:
        if row.outcome and row.state in (State.DONE, State.FAILED):
            total = total.plus(row.outcome.cost)
    return total


def free(budget: Limit, rows: tuple[Row, ...]) -> Limit:
    """The part of the budget that is neither spent nor reserved."""
    spent = spent_of(rows)
    held = [row.reserved for row in rows if not row.state.ended]
    return Limit(
        _left(budget.tokens, spent.tokens + sum(each.tokens or 0 for each in held)),
        _left(budget.micros, spent.micros + sum(each.micros or 0 for each in held)),
    )


def _left(limit: int | None, taken: int) -> int | None:
    return None if limit is None else max(0, limit - taken)


def allowance(budget: Limit, rows: tuple[Row, ...]) -> Limit | None:
    """The most that the next job may cost: an equal share of the free budget for each waiting job. None if nothing is left."""
    waiting = 1 + sum(row.state is State.WAITING and row.target.is_paid for row in rows)
    left = free(budget, rows)
    share = Limit(_share(left.tokens, waiting), _share(left.micros, waiting))
    return None if 0 in (share.tokens, share.micros) else share


def _share(left: int | None, waiting: int) -> int | None:
    return None if left is None else min(left, -(-left // waiting))


@dataclass(frozen=True, slots=True)
class Trend:
    """Comparison with the last batch of the same list. `known` is False if that batch had no report of the target."""

    known: bool = False
    new: int = 0
    gone: int = 0


def trend(now: Outcome | None, before: Outcome | None) -> Trend:
    """Count the findings that appeared and disappeared, by fingerprint."""
    if now is None or before is None or not now.folder or not before.folder:
        return Trend()
    ours, theirs = set(now.findings), set(before.findings)
    return Trend(True, len(ours - theirs), len(theirs - ours))
