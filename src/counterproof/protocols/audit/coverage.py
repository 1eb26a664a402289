"""Coverage is computed, not claimed (A15 to A20).

Statuses are computed from the ledger alone. An agent's claim can only lower a status, a failure or truncation can only cap it,
and a dimension that was never searched is uncovered.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import Dimension, Track
from counterproof.model.ledger import Item, Ledger, Search, Trace
from counterproof.model.survey import Language
from counterproof.model.vulnerabilities import KNOWN_VULNERABILITIES

PROOF_SEARCHES = 3
PROOF_KINDS = 2
WIDE_HIT_FILES = 10
MIN_FAN_OUT = 0.3

NO_VULNERABILITY_DATA = "known CVEs were not checked: no vulnerability data was supplied"
SHORT_VULNERABILITY_DATA = "known CVEs were not checked for every dependency"
UNJUDGED_GUARDS = {Language.JAVA: "Java", Language.GO: "Go", Language.PHP: "PHP", Language.RUBY: "Ruby"}
"""Languages in which the analysers extract guards as text without judging them, with their display names."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The ledger's records for one dimension in one language."""

    searches: tuple[Search, ...]
    traces: tuple[Trace, ...]
    items: tuple[Item, ...]

    @property
    def files_hit(self) -> frozenset[str]:
        return frozenset(path for search in self.searches for path in search.files)

    @property
    def files_traced(self) -> frozenset[str]:
        """The files with hits in which a sink was traced: the numerator of the fan-out (A18)."""
        return frozenset(trace.sink.path for trace in self.traces) & self.files_hit

    @property
    def complete(self) -> int:
        return sum(trace.complete for trace in self.traces)

    @property
    def judged(self) -> int:
        return sum(item.judged for item in self.items)

    @property
    def found_something(self) -> bool:
        """True if a sink or a security setting of the kind exists."""
        return bool(self.files_hit or self.traces or self.items)

    def proves_absence(self) -> bool:
        """True if at least three distinct searches over at least two sub-categories were all empty, and nothing was found by
        other means. A search that would not have matched a known sink does not count."""
        probed = [search for search in self.searches if search.probed]
        queries = {search.query for search in probed}
        kinds = {search.kind for search in probed}
        empty = all(search.hits == 0 for search in self.searches)
        return len(queries) >= PROOF_SEARCHES and len(kinds) >= PROOF_KINDS and empty and not self.traces and not self.items


def evidence_for(ledger: Ledger, dimension: Dimension, language: Language, languages: dict[str, Language | None]) -> Evidence:
    """The records that count for `dimension` in `language`. Files without a language (settings, manifests) count for every
    language; hits of a search over all files count only for the language of the file."""

    def speaks(path: str) -> bool:
        return languages.get(path) in (None, language)

    def heard(search: Search) -> Search:
        files = tuple(filter(speaks, search.files))
        return search if files == search.files else replace(search, files=files, hits=search.hits if files else 0)

    searches = (s for s in ledger.searches if s.dimension is dimension and s.language in ("", language.value))
    return Evidence(
        tuple(heard(each) if not each.language else each for each in searches),
        tuple(t for t in ledger.traces if t.dimension is dimension and speaks(t.sink.path)),
        tuple(i for i in ledger.items if i.dimension is dimension and speaks(i.location.path)),
    )


def status_of(
    dimension: Dimension, evidence: Evidence, applicable: bool, contradicted: bool = False, language: Language | None = None
) -> DimensionCoverage:
    """One row of the coverage matrix (A16 to A18). `applicable` is False if recon saw nothing of the kind; `contradicted` is
    True if another agent found what this agent's empty searches would prove absent."""
    row = _judged_by_track(dimension, evidence)
    if contradicted and evidence.proves_absence():
        row = DimensionCoverage(dimension, Status.SHALLOW, "its searches found nothing, but another agent's did")
    if row.status is Status.COVERED and evidence.proves_absence() and not applicable:
        row = replace(row, status=Status.NOT_APPLICABLE, reason=row.reason.replace("nothing found", "not applicable"))
    missing = outside_input(dimension, evidence, language)
    if missing and (row.status in (Status.COVERED, Status.SHALLOW) or _unjudged_guards(dimension, language)):
        row = replace(row, status=Status.SHALLOW, limitation=missing, excluded=True)
    return replace(
        row,
        searches=len(evidence.searches),
        files_hit=len(evidence.files_hit),
        files_traced=len(evidence.files_traced),
        traces=len(evidence.traces),
        complete_traces=evidence.complete,
        items=len(evidence.items),
        items_judged=evidence.judged,
    )


def outside_input(dimension: Dimension, evidence: Evidence, language: Language | None = None) -> str:
    """The missing input, from outside the run, that makes a dimension shallow and uncounted (A15); '' if none.

    D10 needs vulnerability data: a recorded search in it, and a comparison with every manifest. D3 needs a model in languages
    whose guards the analysers do not judge, until a model follows an entry point to its guard.
    """
    unjudged = _unjudged_guards(dimension, language)
    if unjudged and not evidence.complete and not evidence.proves_absence():
        return f"access control is not analysed in {unjudged}"
    if dimension is not Dimension.D10:
        return ""
    if not any(search.kind == KNOWN_VULNERABILITIES for search in evidence.searches):
        return NO_VULNERABILITY_DATA
    short = any(item.kind == KNOWN_VULNERABILITIES and not item.judged for item in evidence.items)
    return SHORT_VULNERABILITY_DATA if short else ""


def _unjudged_guards(dimension: Dimension, language: Language | None) -> str:
    """The language's name if D3 depends on guards that the analysers do not judge; otherwise ''."""
    return UNJUDGED_GUARDS.get(language, "") if dimension is Dimension.D3 and language is not None else ""


def _judged_by_track(dimension: Dimension, evidence: Evidence) -> DimensionCoverage:
    if not evidence.searches and not evidence.traces and not evidence.items:
        return DimensionCoverage(dimension, Status.UNCOVERED, "never searched")
    if evidence.proves_absence():
        kinds = len({search.kind for search in evidence.searches})
        reason = f"nothing found: {len(evidence.searches)} empty searches over {kinds} sub-categories"
        return DimensionCoverage(dimension, Status.COVERED, reason)
    if dimension.track is Track.CONFIG:
        return _config_driven(dimension, evidence)
    return _traced(dimension, evidence)


def _config_driven(dimension: Dimension, evidence: Evidence) -> DimensionCoverage:
    existing, judged = len(evidence.items), evidence.judged
    if not existing:
        return DimensionCoverage(dimension, Status.SHALLOW, "searched; no security setting was reviewed")
    if judged < existing:
        return DimensionCoverage(dimension, Status.SHALLOW, f"{judged} of {existing} security settings reviewed")
    every = "its one security setting" if existing == 1 else f"{'both' if existing == 2 else f'all {existing}'} security settings"
    return DimensionCoverage(dimension, Status.COVERED, f"{every} reviewed")


def _traced(dimension: Dimension, evidence: Evidence) -> DimensionCoverage:
    noun = "operation" if dimension is Dimension.D9 else "endpoint"
    if not evidence.complete:
        control = dimension.track is Track.CONTROL
        missing = f"no {noun} was checked for guards" if control else "no sink was traced to its source"
        return DimensionCoverage(dimension, Status.SHALLOW, f"searched, but {missing}{_first_open(evidence.traces)}")
    done = f"{evidence.complete} of {len(evidence.traces)}"
    if dimension.track is Track.CONTROL:
        return DimensionCoverage(dimension, Status.COVERED, f"{done} {noun}s checked for guards")
    hit, traced = len(evidence.files_hit), len(evidence.files_traced)
    if hit >= WIDE_HIT_FILES and traced < MIN_FAN_OUT * hit:
        return DimensionCoverage(dimension, Status.SHALLOW, f"fan-out {traced} of {hit} files with hits is under 30 %")
    return DimensionCoverage(dimension, Status.COVERED, f"{done} sinks traced to their source")


def _first_open(traces: tuple[Trace, ...]) -> str:
    """Where tracing stopped, and why: closing this gap would complete the trace."""
    first = next((each for each in traces if not each.complete), None)
    return f"; the first stops at {first.sink}: {first.broken_by or 'its end was not reached'}" if first is not None else ""


def lowered(row: DimensionCoverage, cap: Status, why: str) -> DimensionCoverage:
    """Cap a row's status because of a claim, failure or truncation. Never raises a status, never changes N/A."""
    if row.status is Status.NOT_APPLICABLE or row.status.rank <= cap.rank:
        return row
    return replace(row, status=cap, reason=f"{row.reason}; lowered: {why}", excluded=row.excluded and cap is Status.SHALLOW)


def worst(rows: Iterable[DimensionCoverage]) -> DimensionCoverage:
    """One row for all languages present: the worst of them (A20). N/A only if it applies in every language."""
    every = list(rows)
    applicable = [row for row in every if row.status is not Status.NOT_APPLICABLE]
    return min(applicable or every, key=lambda row: (row.status.rank, row.excluded))


@dataclass(frozen=True, slots=True)
class Score:
    """The number of covered dimensions, of counted ones, and of those that must be covered."""

    covered: int
    counted: int
    threshold: int

    @property
    def met(self) -> bool:
        return self.covered >= self.threshold


def counts(rows: Iterable[DimensionCoverage]) -> tuple[int, int]:
    """(covered, counted); N/A rows and rows whose missing input is outside the run are not counted (A15)."""
    counted = [row for row in rows if row.status is not Status.NOT_APPLICABLE and not row.excluded]
    return sum(row.status is Status.COVERED for row in counted), len(counted)


def gaps(rows: Iterable[DimensionCoverage]) -> tuple[Dimension, ...]:
    """Dimensions neither covered nor N/A (A20)."""
    return tuple(row.dimension for row in rows if row.status in (Status.SHALLOW, Status.UNCOVERED))
