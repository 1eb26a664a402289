"""The audit's own findings on the lines under review: data flow, access control, settings, secrets."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from counterproof.analysis import families
from counterproof.analysis.cache import digest_of
from counterproof.analysis.project import Project
from counterproof.analysis.recon import entry_points_of
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.nearby import CODE, ground
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import EntryPoint
from counterproof.model.review.finding import Trust
from counterproof.model.severity import Reach, Severity
from counterproof.model.survey import Language

_DOMAINS = {
    Dimension.D1: "injection",
    Dimension.D2: "auth",
    Dimension.D3: "auth",
    Dimension.D4: "injection",
    Dimension.D5: "injection",
    Dimension.D6: "injection",
    Dimension.D7: "crypto",
    Dimension.D8: "auth",
    Dimension.D9: "auth",
}
_SECRETS = (259, 312, 321, 540, 615, 798)
_TRUST = {
    Reach.ANONYMOUS: Trust.EXTERNAL,
    Reach.LOW_PRIVILEGE: Trust.AUTHENTICATED,
    Reach.ADMIN: Trust.PRIVILEGED,
}
"""Trust level by attacker; data from an unknown sender counts as external."""


@dataclass(frozen=True, slots=True)
class Entrances:
    """Entry points found by an earlier run."""

    points: tuple[EntryPoint, ...]


def entry_points(project: Project) -> tuple[EntryPoint, ...]:
    """Computed once for all specialists, or loaded from an earlier run over the same files."""
    return project.once("review entry points", lambda: _entrances(project)).points


def _entrances(project: Project) -> Entrances:
    results = project.results
    key = digest_of("review entry points", project.survey.files, project.survey.name) if results else ""
    known = results.find(Entrances, key) if results else None
    if known is not None:
        return known
    found = Entrances(entry_points_of(project))
    if results and project.in_time():
        results.keep(key, found)
    return found


def examined(view: View) -> Iterator[Claim]:
    """Findings whose location, source or flow is under review."""
    languages = {view.project.files[path].language for path in view.files}
    if not languages & set(CODE):
        return  # settings and secrets are read in addition to code; nothing else here covers other files
    project = ground(view)
    for language in CODE:
        if language not in languages and language is not Language.PYTHON:
            continue
        hunt = families.examine(project, entry_points(project), tuple(_DOMAINS), language, frozenset(view.files))
        for finding in hunt.examination.findings:
            place = _place(view, finding)
            if place and not project.files[finding.location.path].test:
                yield _claim(finding, place)


def _place(view: View, finding: Finding) -> Finding | None:
    """The finding at a line under review: its own location, else a step of its flow that the change touches."""
    steps = tuple(step.location for step in finding.flow.steps) if finding.flow else ()
    for each in (finding.location, *reversed(steps), *finding.also):
        if view.touches(each.path, each.start, each.end):
            return finding if each == finding.location else _moved(finding, each.path, each.start)
    return None


def _moved(finding: Finding, path: str, line: int) -> Finding:
    return replace(finding, location=at(path, line))


def _claim(finding: Finding, placed: Finding) -> Claim:
    domain = "secrets" if finding.cwe in _SECRETS and finding.dimension is Dimension.D7 else _DOMAINS[finding.dimension]
    steps = finding.flow.steps if finding.flow else ()
    source = steps[0].location if steps else None
    way = " -> ".join(str(step.location) for step in steps)
    return Claim(
        kind=f"CWE-{finding.cwe} {finding.rule}"[:200],
        domain=domain,
        title=finding.title,
        severity=_severity(finding),
        confidence=finding.confidence,
        at=placed.location,
        why=_why(finding),
        chain=way[:500],
        fix=finding.remedy,
        trust=_TRUST[finding.rating.reach] if source else Trust.NONE,
        traced=source,
        witness=finding,
    )


def _severity(finding: Finding) -> Severity:
    """The severity supported by the proof: a finding based on an assumption is Minor (R35)."""
    if finding.proof is not None and finding.proof.open_points:
        return Severity.LOW
    shown = finding.proof is not None and finding.proof.whole
    return finding.severity if shown else min(finding.severity, Severity.MEDIUM, key=lambda each: each.rank)


def _why(finding: Finding) -> str:
    """The consequence and the evidence: the origin of the data, or the result of the check."""
    if finding.source:
        return f"{finding.impact} The data comes from {finding.source}."
    steps = (finding.validation.flow, finding.validation.defence)
    checked = "; ".join(step.reason.removesuffix(".") for step in steps if step.reason)
    return f"{finding.impact} Checked: {checked}." if checked else finding.impact
