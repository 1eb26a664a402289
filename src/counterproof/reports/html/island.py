"""The page's data island: the details of opened findings and the attack chains, as compact JSON.

Every text is made inert here and stored once; references use its index. So the island stays small for thousands of findings,
and the script inserts text only as text nodes.
"""

from typing import Final

from counterproof.model.finding import Finding, StepResult
from counterproof.model.flow import Flow, FlowStep
from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.guard.groups import fate
from counterproof.reports import inert, proofs, wording
from counterproof.reports.html.findings import shown
from counterproof.reports.weaknesses import weakness

MAX_STEPS: Final = 60
MAX_ITEMS: Final = 50
MAX_CHAINS: Final = 100

Node = list[object]


class Texts:
    """Texts by index, in order of insertion."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def add(self, text: str, limit: int = inert.MAX_TEXT) -> int:
        return self._index(inert.line(text, limit))

    def code(self, text: str, widest: int = inert.MAX_CODE) -> int:
        return self._index("\n".join(inert.block(text, widest=widest)))

    def _index(self, shown: str) -> int:
        return self.known.setdefault(shown, len(self.known))


def island(report: Report) -> dict[str, object]:
    """The JSON value. `findings` are in the order of the page's rows."""
    texts = Texts()
    rows = shown(report)
    findings = [_finding(each, texts) for each in rows]
    index = {each.number: place for place, each in enumerate(rows)}
    chains: list[Node] = [
        [
            [index.get(number, -1) for number in chain.numbers],
            [texts.add(capability) for capability in chain.capabilities],
            chain.severity.value,
        ]
        for chain in report.chains[:MAX_CHAINS]
    ]
    return {"text": list(texts.known), "findings": findings, "chains": chains}


def _finding(each: ReportedFinding, texts: Texts) -> Node:
    """Severity, dimension, path and history for filters; then the details after impact, evidence and fix."""
    finding = each.finding
    return [
        each.severity.value,
        finding.dimension.value,
        texts.add(finding.location.path, inert.MAX_CODE),
        texts.add(fate(each)),
        [_flow(finding, texts)],
        [_guards(finding, texts), _proof(finding, texts)],
        [*_validation(finding, texts), _arithmetic(each, texts), _facts(each, texts)],
    ]


def _flow(finding: Finding, texts: Texts) -> Node:
    if finding.flow is None:
        return ["prose", texts.add("Flow"), texts.add("None: the finding rests on the quoted code alone.")]
    ends = [texts.add(finding.source, inert.MAX_CODE), texts.add(finding.sink, inert.MAX_CODE)]
    return ["flow", texts.add(f"Flow ({wording.completeness(finding.flow)})"), ends, _steps(finding.flow, texts)]


def _steps(flow: Flow, texts: Texts) -> list[Node]:
    steps = flow.steps
    if len(steps) <= MAX_STEPS:
        return [_step(step, texts) for step in steps]
    half = MAX_STEPS // 2
    gap: Node = [texts.add(f"… {len(steps) - 2 * half:,} more steps; the JSON report lists them all")]
    return [*(_step(step, texts) for step in steps[:half]), gap, *(_step(step, texts) for step in steps[-half:])]


def _step(step: FlowStep, texts: Texts) -> Node:
    place = step.location
    return [
        texts.add(place.path, inert.MAX_CODE),
        place.start,
        step.kind.value,
        texts.code(step.code),
        texts.add(step.note),
    ]


def _guards(finding: Finding, texts: Texts) -> Node:
    title = texts.add("Guards considered")
    considered = proofs.guards(finding.proof) if finding.proof else finding.guards
    if not considered:
        return ["prose", title, texts.add("None recorded.")]
    return ["list", title, [texts.add(guard) for guard in considered[:MAX_ITEMS]]]


def _proof(finding: Finding, texts: Texts) -> Node:
    title = texts.add("Proof of concept")
    if finding.poc:
        return ["code", title, texts.code(finding.poc, inert.MAX_TEXT)]
    return ["prose", title, texts.add(f"None: {wording.no_proof(finding)}.")]


def _validation(finding: Finding, texts: Texts) -> list[Node]:
    steps = finding.validation.steps
    title = texts.add("Validation")
    if all(step.result is StepResult.SKIP for step in steps):
        return [["prose", title, texts.add("No step was taken.")]]
    rows: list[Node] = [
        [texts.add(name), step.result.value, texts.add(str(step.at) if step.at else "", inert.MAX_CODE), texts.add(step.reason)]
        for name, step in zip(wording.STEPS, steps, strict=True)
    ]
    return [["steps", title, rows]]


def _arithmetic(each: ReportedFinding, texts: Texts) -> Node:
    calibration = each.calibration
    terms: list[Node] = [[texts.add(term.name), texts.add(term.value), term.points] for term in calibration.terms]
    notes: list[str] = []
    if each.dispute:
        notes.append(f"Rating dispute: {each.dispute}")
    notes += [f"Said of it: {word}" for word in each.said]
    notes.append(f"The finder's own opinion was {each.finding.severity.value}; shown: {each.severity.value}.")
    return [
        "sum",
        texts.add("Severity arithmetic"),
        terms,
        calibration.total,
        calibration.level.value,
        [texts.add(n) for n in notes],
    ]


def _facts(each: ReportedFinding, texts: Texts) -> Node:
    finding = each.finding
    places = [str(place) for place in finding.also[:MAX_ITEMS]]
    left = len(finding.also) - len(places)
    facts = (
        ("Where", str(finding.location), True),
        ("Function", finding.function, True),
        ("Same root cause also at", ", ".join(places) + (f" and {left:,} more" if left else ""), True),
        ("Class", weakness(finding.cwe), False),
        ("Rule", finding.rule, True),
        ("Found by", ", ".join(finding.found_by), False),
        ("Witnesses", wording.witnesses(finding), False),
        ("Fingerprint", each.fingerprint, True),
    )
    rows: list[Node] = [[texts.add(name), texts.add(value), int(code)] for name, value, code in facts if value]
    return ["facts", texts.add("Details"), rows]
