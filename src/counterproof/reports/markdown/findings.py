"""The findings, Critical first, each with everything needed to verify, reproduce and fix it (A50)."""

from collections.abc import Iterator
from typing import Final

from counterproof.model.finding import Finding, StepResult, ValidationStep
from counterproof.model.flow import FlowStep
from counterproof.model.report import ReportedFinding
from counterproof.reports import proofs, wording
from counterproof.reports.inert import MAX_TEXT, code, fenced, prose
from counterproof.reports.markdown.sections import written
from counterproof.reports.markdown.table import bullets, numbered
from counterproof.reports.sections.finding import facts

MAX_STEPS: Final = 60


def cards(rows: tuple[ReportedFinding, ...], without: str) -> Iterator[str]:
    """One card for each finding; `without` is the text if there is none."""
    if not rows and without:
        yield without
    for each in rows:
        yield from _card(each)


def _card(each: ReportedFinding) -> Iterator[str]:
    """Problem, location, reachability, why the defences fail, fix, open points; then the record."""
    finding = each.finding
    yield f"### {prose(each.number)} {prose(finding.title)}"
    yield bullets(map(written, facts(each)))
    yield f"**Impact.** {prose(finding.impact) or 'Not stated.'}"
    yield from _flow(finding)
    if finding.flow is None:
        yield fenced(finding.evidence)
    yield from _guards(finding)
    yield from _open(finding)
    yield f"**Fix.** {prose(finding.remedy) or 'None proposed.'}"
    yield from _proof(finding)
    yield bullets(_record(each))


def _guards(finding: Finding) -> Iterator[str]:
    """Why the defences do not stop the attack."""
    shown = proofs.guards(finding.proof) if finding.proof else finding.guards
    if shown:
        yield "**Defences.** " + "; ".join(prose(each) for each in shown) + "."


def _open(finding: Finding) -> Iterator[str]:
    if finding.proof and finding.proof.open_points:
        yield "**Open.** " + "; ".join(prose(each) for each in proofs.assumptions(finding.proof)) + "."


def _record(each: ReportedFinding) -> Iterator[str]:
    """One line each on how severity and confidence were determined."""
    terms = ", ".join(f"{prose(term.name)} {term.points:+d} ({prose(term.value)})" for term in each.calibration.terms)
    total = each.calibration.total
    yield f"Severity: {terms}; sum {total:+d}; the finder said {each.finding.severity.value}"
    if proof := each.finding.proof:
        yield f"Proof: {proofs.standing(proof)}: {'; '.join(prose(text) for text in proofs.facts(proof))}"
    if judged := _validation(each.finding):
        yield f"Validation: {judged}"
    yield f"Fingerprint: {code(each.fingerprint)}"


def _flow(finding: Finding) -> Iterator[str]:
    if finding.source or finding.sink:
        yield " ".join(f"**{name}** {code(text)}" for name, text in wording.ends(finding))
    if finding.flow is None:
        return
    yield f"**Flow** ({wording.completeness(finding.flow)})"
    steps = finding.flow.steps
    if len(steps) <= MAX_STEPS:
        yield numbered(_step(step) for step in steps)
        return
    half = MAX_STEPS // 2
    left = len(steps) - 2 * half
    middle = f"… ({left:,} more steps; the JSON report lists them all)"
    yield numbered([*map(_step, steps[:half]), middle, *map(_step, steps[-half:])])


def _step(step: FlowStep) -> str:
    note = f" ({prose(step.note)})" if step.note else ""
    return f"{step.kind.value} {code(str(step.location))}: {code(step.code)}{note}"


def _proof(finding: Finding) -> Iterator[str]:
    if finding.poc:
        yield "**Proof of concept**"
        yield fenced(finding.poc, widest=MAX_TEXT)
    else:
        yield f"**Proof of concept.** None: {prose(wording.no_proof(finding))}."


def _validation(finding: Finding) -> str:
    if all(step.result is StepResult.SKIP for step in finding.validation.steps):
        return ""
    return "; ".join(f"{name}: {_judged(step)}" for name, step in zip(wording.STEPS, finding.validation.steps, strict=True))


def _judged(step: ValidationStep) -> str:
    place = f" {code(str(step.at))}" if step.at else ""
    reason = f", {prose(step.reason)}" if step.reason else ""
    return f"{step.result.value}{place}{reason}"
