"""The report as data. Every format renders exactly this data and adds no facts.

A report contains no time, duration or run id, so the same evidence gives the same bytes; those are in the receipt.
"""

from dataclasses import dataclass

from counterproof.model.agents import Registered
from counterproof.model.confidence import Confidence
from counterproof.model.coverage import DimensionCoverage
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.known import KnownFinding
from counterproof.model.leftover import Leftover
from counterproof.model.map import Map
from counterproof.model.posture import PostureEntry
from counterproof.model.receipt import Outcome
from counterproof.model.recon import EntryPoint, Framework
from counterproof.model.severity import Severity
from counterproof.model.survey import Skipped


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the severity sum (A40)."""

    name: str
    value: str
    points: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the displayed severity was computed: the terms, their sum and the level; `note`: what changed it in a review."""

    terms: tuple[Term, ...]
    total: int
    level: Severity
    note: str = ""


@dataclass(frozen=True, slots=True)
class CoverageShare:
    """The coverage achieved by one kind of worker alone (A52)."""

    who: str
    coverage: tuple[DimensionCoverage, ...]
    covered: int
    counted: int
    files_read: int
    searches: int
    findings: int
    deep_files: int = 0


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding as the report shows it. `number` is C-01, H-01, M-01 or L-01. `severity` says how bad it is if it is true,
    `confidence` how sure we are.

    `history` is new or persisting if there is an earlier run to compare with; `accepted` says who accepted it and why; `said`
    lists the other judgements with their reasons and lines, if analysts and models took part or disagree (A54); `doubts`
    names the validators who reject it for a reason that the engine could not confirm.
    """

    number: str
    fingerprint: str
    severity: Severity
    confidence: Confidence
    finding: Finding
    calibration: Calibration
    labels: tuple[str, ...] = ()
    dispute: str = ""
    history: str = ""
    accepted: str = ""
    said: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def by_model(self) -> bool:
        """True if a model found it and no analyst came to the same result."""
        return not self.finding.rule and self.finding.corroboration is not Corroboration.BOTH


@dataclass(frozen=True, slots=True)
class Refused:
    """A claim that verification rejected (A29): it is displayed, never silently dropped."""

    agent_id: str
    title: str
    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Scale:
    files: int
    directories: int
    loc: int
    languages: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class SourceCount:
    """The findings of one source before and after deduplication."""

    source: str
    raw: int
    kept: int
    refused: int
    repeats: int


@dataclass(frozen=True, slots=True)
class GateLine:
    """One check of the report gate."""

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of phase 2 and the decision of its evaluation."""

    number: int
    emergency: bool
    agents: tuple[str, ...]
    covered: int
    counted: int
    gaps: tuple[str, ...]
    decision: str
    reason: str


@dataclass(frozen=True, slots=True)
class ControlEvidence:
    """The evidence for the control-driven dimensions: verified endpoints and compared resource types (A19)."""

    endpoints: int
    verified: int
    resources: int
    compared: int
    inconsistent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RootCoverage:
    """The coverage of one manifest root of a monorepo, computed separately (A10, A15 to A19).

    `root` is its folder, '.' for the top. `decides`: large enough to affect the overall result. `control` is None in quick
    audits.
    """

    root: str
    loc: int
    library: bool
    decides: bool
    coverage: tuple[DimensionCoverage, ...]
    covered: int
    counted: int
    threshold: int
    entry_points: int
    control: ControlEvidence | None = None

    @property
    def name(self) -> str:
        return root_name(self.root)


def root_name(root: str) -> str:
    """The name of a root in a sentence."""
    return "top folder" if root == "." else root


@dataclass(frozen=True, slots=True)
class DiveEvidence:
    """The work of phase 3 (A34). `unread` files were left by phase 2, `read` of them were read now; depths are counted in steps.

    `pairs` are the pairs of severe findings that were checked for chains. `exhausted`: no flow is deeper than those of phase 2,
    because each was followed to its origin and nothing is left to read. `leftovers`: the deep audit's results on what a standard
    audit leaves (A58).
    """

    unread: int
    read: int
    p0_files: int
    p0_missing: tuple[str, ...]
    mean_depth: str
    deepest: int
    new_findings: int
    pairs: int
    exhausted: bool = False
    leftovers: tuple[Leftover, ...] = ()


@dataclass(frozen=True, slots=True)
class BaselineEvidence:
    """The outcome of the baseline scan's hits; the three verdicts add up to the total (A35)."""

    status: str
    reason: str
    version: str
    total: int
    confirmed: int
    rejected: int
    needs_manual: int
    rule_hotspots: tuple[tuple[str, int], ...] = ()
    file_hotspots: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ValidationEvidence:
    """How findings were validated, and the results (A36 to A38)."""

    full: int
    spot_checked: int
    batch: int
    accepted: int
    confirmed: int
    downgraded: int
    rejected: int
    unvalidated: int
    validators: tuple[str, ...]
    escalated: tuple[str, ...]
    duplicates: int


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """A finding that a validator refuted."""

    title: str
    place: str
    cwe: int
    reason: str
    at: str
    found_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChainLine:
    """An attack chain with the report's finding numbers; `capabilities` are what each finding gives the next one. Its confidence
    is that of its least certain finding."""

    numbers: tuple[str, ...]
    capabilities: tuple[str, ...]
    severity: Severity
    confidence: Confidence
    points: int


@dataclass(frozen=True, slots=True)
class AttackPath:
    """One scored path from an entry point to a severe sink (deep)."""

    entry: str
    number: str
    steps: int
    points: int


@dataclass(frozen=True, slots=True)
class Report:
    """All content of the report, in the order of A50. The fields with defaults belong to standard and deep.

    `first_page` are the numbers of the findings that are certain enough to act on (A60, A69); `map` is shown in the HTML page
    only, because `counterproof map` writes it in the other formats. `coverage` is the worst over all
    roots; `roots` has the coverage of each root of a monorepo, and is empty otherwise. `debates` is always empty: a field of the
    JSON form, whose readers expect it.
    """

    target: str
    version: str
    mode: str
    requested_mode: str
    banners: tuple[str, ...]
    summary: tuple[str, ...]
    outcome: Outcome
    scale: Scale
    project_type: str
    frameworks: tuple[Framework, ...]
    entry_points: tuple[EntryPoint, ...]
    dependencies: int
    coverage: tuple[DimensionCoverage, ...]
    covered: int
    counted: int
    threshold: int
    findings: tuple[ReportedFinding, ...]
    refused: tuple[Refused, ...]
    sources: tuple[SourceCount, ...]
    agents: tuple[Registered, ...]
    documents: tuple[str, ...]
    modules_loaded: tuple[str, ...]
    limitations: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    markers: tuple[str, ...]
    gates: tuple[GateLine, ...] = ()
    waivers: tuple[str, ...] = ()
    rounds: tuple[RoundLine, ...] = ()
    control: ControlEvidence | None = None
    baseline: BaselineEvidence | None = None
    validation: ValidationEvidence | None = None
    rejected: tuple[RejectedLine, ...] = ()
    chains: tuple[ChainLine, ...] = ()
    paths: tuple[AttackPath, ...] = ()
    fixed: tuple[KnownFinding, ...] = ()
    roots: tuple[RootCoverage, ...] = ()
    dive: DiveEvidence | None = None
    debates: tuple[str, ...] = ()
    posture: tuple[PostureEntry, ...] = ()
    shares: tuple[CoverageShare, ...] = ()
    source_url: str = ""
    first_page: tuple[str, ...] = ()
    map: Map | None = None
