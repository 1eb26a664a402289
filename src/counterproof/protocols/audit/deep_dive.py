"""Judges phase 3 by its results (A34): new files, P0 files, a deeper flow. Anything less is reported as partial."""

from dataclasses import dataclass
from statistics import mean

from counterproof.model.finding import Finding
from counterproof.model.flow import Flow
from counterproof.model.ledger import Trace
from counterproof.model.leftover import Leftover
from counterproof.model.survey import Survey

MIN_NEW_FILES = 3


@dataclass(frozen=True, slots=True)
class Dive:
    """The result of phase 3. It is complete if there is no shortfall."""

    new_files: int
    unread_before: int
    p0_missing: tuple[str, ...]
    mean_depth: float
    deepest: int
    new_findings: int
    shortfalls: tuple[str, ...]
    exhausted: bool = False
    """No flow is deeper, because every flow was followed to its end and no source is left unread."""
    leftovers: tuple[Leftover, ...] = ()
    """The results for the work that a standard audit leaves; empty if nobody was given that work (A58)."""

    @property
    def completed(self) -> bool:
        return not self.shortfalls


def credible(flow: Flow, survey: Survey, read: frozenset[str]) -> bool:
    """True if every step of a claimed flow is at a line that exists, in a file that the diver read (A29)."""
    lines = {file.path: file.lines for file in survey.files}
    places = [step.location for step in flow.steps]
    return all(place.path in read and place.end <= lines.get(place.path, 0) for place in places)


def judge(
    survey: Survey,
    p0_files: tuple[str, ...],
    read_before: frozenset[str],
    read_now: frozenset[str],
    earlier: tuple[Finding, ...],
    flows: tuple[Flow, ...],
    new_findings: int,
    unfinished: str = "",
    uncounted: frozenset[str] = frozenset(),
    traces: tuple[Trace, ...] = (),
    leftovers: tuple[Leftover, ...] = (),
) -> Dive:
    """Judge the phase by the parts that a user can act on: unread files, uncovered P0 files, a diver that did not finish. A
    recorded absence of unread files satisfies the first. A project without deeper flows does not make a run incomplete (A58);
    `exhausted` says that the record shows none: every flow was followed to its origin, or `leftovers` were followed.

    `unfinished` says why no diver finished; that alone makes the phase partial, however little there was to do. `uncounted`
    files are in languages too small to count; they need not be read, and the report says that they were not.
    """
    source = {file.path for file in survey.files if file.language and not file.test} - uncounted
    unread = source - read_before
    new = len((read_now - read_before) & source)
    missing = tuple(sorted(set(p0_files) & {file.path for file in survey.files} - read_before - read_now))
    depths = [finding.flow.depth for finding in earlier if finding.flow]
    average = mean(depths) if depths else 0.0
    deepest = max((flow.depth for flow in flows), default=0)
    short = bool(depths) and deepest <= average
    at_the_end = bool(leftovers) or _followed_to_the_end(earlier, traces)
    exhausted = short and not unread - read_now and at_the_end
    shortfalls: list[str] = [unfinished] if unfinished else []
    if new < min(MIN_NEW_FILES, len(unread)):
        shortfalls.append(f"{new} new files were read, {min(MIN_NEW_FILES, len(unread))} are needed")
    if missing:
        shortfalls.append(f"P0 files were not covered: {', '.join(missing[:5])}{' …' if len(missing) > 5 else ''}")
    return Dive(new, len(unread), missing, average, deepest, new_findings, tuple(shortfalls), exhausted, leftovers)


def _followed_to_the_end(earlier: tuple[Finding, ...], traces: tuple[Trace, ...]) -> bool:
    """True if the dive's own record shows each earlier flow's sink with all its origins. Agents' claims do not count here, and
    a trace that met only literals did not follow the flow."""
    ended = {(each.sink.path, each.sink.start) for each in traces if each.complete and each.origin != "literal"}
    broken = {(each.sink.path, each.sink.start) for each in traces if not each.complete}
    sinks = {(each.flow.sink.location.path, each.flow.sink.location.start) for each in earlier if each.flow}
    return sinks <= ended - broken
