"""Converts a model's submitted fields to the domain's reply (A24), entry by entry, so that a bad entry affects only itself.

Invariant: a finding's rule, witnesses and number never come from the model; free texts are scanned field by field and withheld
if they address a reader instead of describing code (R7), except quoted evidence, which is checked against the file; the code
of a flow's steps is read from the files. Not handled here: judging the reply.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import ValidationError

from counterproof.agents.models import contract_text as wire
from counterproof.agents.models.hand_in import HandIn, problems_of
from counterproof.agents.models.parsing import Malformed
from counterproof.analysis.text.hidden import restored, visible
from counterproof.model.contract import AgentReply, AgentTask, Claim, Role
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import MAX_EVIDENCE_LINES, SKIPPED, Finding, StepResult, Validation, ValidationStep
from counterproof.model.flow import Break, Flow, FlowStep, StepKind
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.location import Location, at
from counterproof.model.openitem import Answered
from counterproof.model.proof import Assumption, Guess, Link, Part, Proof, Shape
from counterproof.model.severity import Complexity, Ground, Impact, Rating, Reach, Severity
from counterproof.model.text import lines_in
from counterproof.model.transfer import FalsePositive
from counterproof.protocols.guard.destructive import destructive

Quote = Callable[[str, int], str]
"""A line of a file; '' if it does not exist."""

MAX_NAMES = 20
HARM = {"full": Impact.FULL, "partial": Impact.PARTIAL, "local": Impact.LOCAL, "minor": Impact.MINOR}
_STATUS = {
    "covered": Status.COVERED,
    "shallow": Status.SHALLOW,
    "uncovered": Status.UNCOVERED,
    "not applicable": Status.NOT_APPLICABLE,
}


@dataclass(slots=True)
class AuditHandIn(HandIn):
    """The result of an audit's agent. `stated` are additional flows, step by step."""

    task: AgentTask = field(kw_only=True)
    quote: Quote = field(kw_only=True)
    stated: tuple[Proof, ...] = ()


def header_of(fields: dict[str, Any]) -> wire.Header:
    """The identity of a result. Raises `Malformed`."""
    try:
        return wire.Header.model_validate(fields)
    except ValidationError as error:
        raise Malformed(problems_of(error)[0]) from error


def reply_of(given: AuditHandIn, complete: bool) -> AgentReply:
    """The reply with its valid entries; `given.problems` describes the invalid ones."""
    task = given.task
    allowed = set(wire.RESULTS[task.role].model_fields)
    for name in sorted(set(given.fields) - allowed):
        given.reject(str(name)[:60], "the contract has no such field")
    findings = tuple(_findings(given))
    if task.role in (Role.HUNTER, Role.CHAIN_CHECKER, Role.DEEP_DIVER) and complete:
        _check_statement(given)
    hits = tuple(_hits(given)) if "hits" in allowed else ()
    advice = [given.said(each, "advice", 200) for each in given.texts("hardening")]
    given.notes += [f"Hardening advice of {task.agent_id}: {each}" for each in advice]
    return AgentReply(
        agent_id=task.agent_id,
        round=task.round,
        dimensions=tuple(each for each in task.dimensions if each.value in given.fields.get("dimensions", [])) or task.dimensions,
        claims=tuple(_claims(given)) if "coverage" in allowed else (),
        findings=(*findings, *(each.finding for each in hits if each.finding)),
        hotspots=tuple(given.said(each, "hotspot", 200) for each in given.texts("hotspots")),
        gaps=tuple(given.said(each, "gap") for each in given.texts("gaps")),
        flows=tuple(_flows(given)),
        judgements=tuple(_judgements(given)) if "judgements" in allowed else (),
        hit_judgements=hits,
        notes=tuple(given.notes),
        ended=complete,
        false_positives=tuple(_excluded(given)) if "excluded" in allowed else (),
        answers=tuple(_answers(given)) if "judged" in allowed else (),
    )


def _check_statement(given: AuditHandIn) -> None:
    """An explicit statement of no findings is valid; silence is malformed."""
    listed = given.fields.get("findings")
    said = given.fields.get("nothing_found")
    if not isinstance(said, bool) or not isinstance(listed, list):
        given.problems.append("nothing_found and findings: both are needed")
    elif said == bool(cast("list[Any]", listed)):
        given.problems.append("nothing_found: it says the opposite of findings")


def _findings(given: AuditHandIn) -> list[Finding]:
    found: list[Finding] = []
    for index, each in enumerate(given.entries("findings", wire.WireFinding, 2 * wire.MAX_FINDINGS)):
        if len(found) >= wire.MAX_FINDINGS:
            given.notes.append(f"{given.task.agent_id} submitted more than {wire.MAX_FINDINGS} findings; the rest was left out.")
            break
        finding = _finding(given, each, f"findings[{index}]")
        if finding:
            found.append(finding)
    return found


def _finding(given: AuditHandIn, each: wire.WireFinding, where: str) -> Finding | None:
    flow = _flow(given, each.flow) if each.flow else None
    remedy = given.said(each.remedy, "remedy")
    if harm := destructive(remedy):
        given.notes.append(f"{given.task.agent_id}: a remedy was withheld because it holds {harm}.")
        remedy = f"(the agent's remedy was withheld: it holds {harm})"
    try:
        return Finding(
            id="",
            rule="",
            title=given.said(each.title, "title", 200),
            dimension=Dimension(each.dimension),
            cwe=each.cwe,
            severity=Severity(each.severity),
            confidence=Ground(each.confidence),
            location=Location(each.file, each.start, each.end),
            evidence=restored("\n".join(lines_in(each.evidence)[:MAX_EVIDENCE_LINES])),
            impact=given.said(each.impact, "impact"),
            rating=Rating(
                Reach(each.reach), HARM[each.harm], Complexity(each.complexity), each.stringent_conditions, each.default_config
            ),
            function=visible(each.function).text[:200],
            source=given.said(each.source, "source"),
            sink=given.said(each.sink, "sink"),
            flow=flow,
            remedy=remedy,
            poc=given.said(each.poc, "proof of concept", 2_000),
            no_poc_reason=given.said(each.no_poc_reason, "reason"),
            validation=_validation(given, each.checks),
            proof=_proof(each.flow),
        )
    except InvalidValue as error:
        given.reject(where, str(error)[:200])
        return None


_PARTS = {StepKind.SOURCE: Part.ENTRY, StepKind.SINK: Part.SINK}


def _proof(flow: wire.WireFlow | None) -> Proof | None:
    """The typed facts of a flow as a proof, to be checked hop by hop (A55, A59). A step without one is an assumed hop."""
    links: list[Link] = []
    assumed: list[Assumption] = []
    for step in flow.steps if flow else ():
        fact = _fact(step.file, step.line, step.operation, step.symbol)
        if fact:
            links.append(Link(_PARTS.get(StepKind(step.kind), Part.STEP), fact))
        else:
            assumed.append(Assumption(Guess.BROKEN_FLOW, f"step at {step.file}:{step.line}"[:200]))
    if flow and flow.broken_by:
        assumed.append(Assumption(Guess.BROKEN_FLOW, flow.broken_by))
    return Proof(Shape.FLOW, tuple(links), assumptions=tuple(assumed)) if links else None


def _fact(file: str, line: int, operation: str | None, symbol: str) -> Fact | None:
    place = _place(file, line)
    try:
        return Fact(place, Operation(operation), symbol) if place and operation else None
    except InvalidValue:
        return None


def _flow(given: AuditHandIn, each: wire.WireFlow) -> Flow | None:
    """A flow whose steps are all existing lines; the code is read from the file."""
    steps: list[FlowStep] = []
    for step in each.steps:
        code = given.quote(step.file, step.line)
        if not code:
            given.notes.append(
                f"{given.task.agent_id}: a claimed flow was dropped because one of its steps names no line of code."
            )
            return None
        note = given.said(step.note, "note", 300)
        steps.append(FlowStep(at(step.file, step.line), StepKind(step.kind), code, note))
    return Flow(tuple(steps), Break(each.broken_by) if each.broken_by else None)


def _flows(given: AuditHandIn) -> list[Flow]:
    """Additional flows. Their stated steps are kept for the checker."""
    found: list[Flow] = []
    for each in given.entries("flows", wire.WireFlow):
        flow, proof = _flow(given, each), _proof(each)
        if flow:
            found.append(flow)
            given.stated += (proof,) if proof else ()
    return found


def _place(file: str, line: int) -> Location | None:
    try:
        return at(file, line)
    except InvalidValue:
        return None


def _step(given: AuditHandIn, check: wire.WireCheck) -> ValidationStep:
    reason = given.said(check.reason, "reason")
    if check.result == "skip" or not reason.strip():
        return SKIPPED
    fact = _fact(check.file, check.line, check.operation, check.symbol)
    return ValidationStep(StepResult(check.result), reason, _place(check.file, check.line), fact)


def _validation(given: AuditHandIn, checks: wire.WireChecks) -> Validation:
    return Validation(
        _step(given, checks.flow), _step(given, checks.defence), _step(given, checks.reach), _step(given, checks.impact)
    )


def _claims(given: AuditHandIn) -> list[Claim]:
    found = given.entries("coverage", wire.WireClaim)
    return [Claim(Dimension(each.dimension), _STATUS[each.status], given.said(each.reason, "reason")) for each in found]


def _excluded(given: AuditHandIn) -> list[FalsePositive]:
    found: list[FalsePositive] = []
    for each in given.entries("excluded", wire.WireExcluded):
        if given.quote(each.file, each.line):
            found.append(FalsePositive(each.file, each.line, given.said(each.reason, "reason"), given.task.dimensions))
    return found


def _answers(given: AuditHandIn) -> list[Answered]:
    """Answers to the task's open items. An item's own place need hold no code: that of a component is the first line of its file.
    Any other answer without a valid item or line of code is returned."""
    asked = {each.name: each.at for each in given.task.open_items}
    found: list[Answered] = []
    for index, each in enumerate(given.entries("judged", wire.WireJudged)):
        own = asked.get(each.item)
        whole = own is not None and each.file == own.path and each.line in (0, own.start)
        place = own if whole else _place(each.file, each.line)
        if own is None:
            names = ", ".join(list(asked)[:MAX_NAMES]) or "none"
            given.reject(f"judged[{index}]", f"the task has no open item {each.item[:80]!r}; its open items: {names}")
        elif place is None or not (whole or given.quote(each.file, each.line)):
            given.reject(f"judged[{index}] ({each.item})", "name the line of code that decides, as file and line")
        else:
            found.append(Answered(each.item, place, each.verdict, given.said(each.reason, "reason")))
    return found


def _judgements(given: AuditHandIn) -> list[Judgement]:
    found = given.entries("judgements", wire.WireJudgement)
    return [
        Judgement(each.claim, Verdict(each.verdict), _validation(given, each.checks), _place(each.file, each.line))
        for each in found
    ]


def _hits(given: AuditHandIn) -> list[HitJudgement]:
    found: list[HitJudgement] = []
    for index, each in enumerate(given.entries("hits", wire.WireHit)):
        finding = _finding(given, each.finding, f"hits[{index}]") if each.finding else None
        verdict = HitVerdict(each.verdict)
        if verdict is HitVerdict.CONFIRMED and finding is None:
            verdict = HitVerdict.NEEDS_MANUAL  # a bare verdict confirms nothing
        found.append(HitJudgement(each.hit, verdict, given.said(each.reason, "reason"), finding))
    return found
