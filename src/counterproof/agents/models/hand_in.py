"""From the fields that a model handed in to the domain's reply (A24): entry by entry, so that one bad entry costs only itself.

Always holds: the rule, the witnesses and the number of a finding are never the model's; free texts are scanned field by field
and withheld where they speak to a reader instead of about code (R7), except quoted evidence, which is checked against the
file; the code of a flow's steps is read from the files, not taken from the model. What a reply is worth is decided elsewhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from counterproof.agents.models import contract_text as wire
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
from counterproof.model.misfits import in_plain_words
from counterproof.model.openitem import Answered
from counterproof.model.proof import Assumption, Guess, Link, Part, Proof, Shape
from counterproof.model.severity import Complexity, Ground, Impact, Rating, Reach, Severity
from counterproof.model.text import lines_in
from counterproof.model.transfer import FalsePositive
from counterproof.protocols.guard.destructive import destructive
from counterproof.protocols.guard.injection import addresses_model

Quote = Callable[[str, int], str]
"""A line as it stands in a file; '' where there is none."""

MAX_PROBLEMS = 10
_HARM = {"full": Impact.FULL, "partial": Impact.PARTIAL, "local": Impact.LOCAL, "minor": Impact.MINOR}
_STATUS = {
    "covered": Status.COVERED,
    "shallow": Status.SHALLOW,
    "uncovered": Status.UNCOVERED,
    "not applicable": Status.NOT_APPLICABLE,
}


@dataclass(slots=True)
class HandedIn:
    """A result on its way to a reply. `problems` are for the model to mend; `notes` for the report."""

    fields: dict[str, Any]
    task: AgentTask
    quote: Quote
    problems: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    stated: tuple[Proof, ...] = ()

    def entries(self, name: str, model: type[BaseModel]) -> list[Any]:
        """The entries of a list that are as the contract wants them."""
        given = self.fields.get(name, [])
        if not isinstance(given, list):
            self.problems.append(f"{name}: expected a list")
            return []
        found: list[Any] = []
        for index, each in enumerate(cast("list[Any]", given)[: 2 * wire.MAX_FINDINGS if name == "findings" else 1_000]):
            try:
                found.append(model.model_validate(each))
            except ValidationError as error:
                self.reject(f"{name}[{index}]", _first(error))
        return found

    def reject(self, where: str, why: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(f"{where}: {why}")
            self.refused.append(where.partition(" ")[0])

    def said(self, text: str, what: str, limit: int = 1_000) -> str:
        """A free text that may stand in a report and be read by other agents' engines."""
        shown = visible(" ".join(text.split())).text[:limit]
        signs = addresses_model(shown)
        if signs:
            self.notes.append(f"{self.task.agent_id}: a {what} was withheld because it {signs[0].kind.value}.")
            return f"(the agent's {what} was withheld: it {signs[0].kind.value})"
        return shown


def header_of(fields: dict[str, Any]) -> wire.Header:
    """Whose result it is. Raises `Malformed`."""
    try:
        return wire.Header.model_validate(fields)
    except ValidationError as error:
        raise Malformed(_first(error)) from error


def reply_of(given: HandedIn, complete: bool) -> AgentReply:
    """The reply, with the entries that are sound; what is wrong with the others stands in `given.problems`."""
    task = given.task
    allowed = set(wire.RESULTS[task.role].model_fields)
    for name in sorted(set(given.fields) - allowed):
        given.reject(str(name)[:60], "the contract has no such field")
    findings = tuple(_findings(given))
    if task.role in (Role.HUNTER, Role.CHAIN_CHECKER, Role.DEEP_DIVER) and complete:
        _check_statement(given)
    hits = tuple(_hits(given)) if "hits" in allowed else ()
    advice = [given.said(each, "advice", 200) for each in _texts(given, "hardening")]
    given.notes += [f"Hardening advice of {task.agent_id}: {each}" for each in advice]
    return AgentReply(
        agent_id=task.agent_id,
        round=task.round,
        dimensions=tuple(each for each in task.dimensions if each.value in given.fields.get("dimensions", [])) or task.dimensions,
        claims=tuple(_claims(given)) if "coverage" in allowed else (),
        findings=(*findings, *(each.finding for each in hits if each.finding)),
        hotspots=tuple(given.said(each, "hotspot", 200) for each in _texts(given, "hotspots")),
        gaps=tuple(given.said(each, "gap") for each in _texts(given, "gaps")),
        flows=tuple(_flows(given)),
        judgements=tuple(_judgements(given)) if "judgements" in allowed else (),
        hit_judgements=hits,
        notes=tuple(given.notes),
        ended=complete,
        false_positives=tuple(_excluded(given)) if "excluded" in allowed else (),
        answers=tuple(_answers(given)) if "judged" in allowed else (),
    )


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part)[:40] for part in problem["loc"])
    said = in_plain_words(str(problem["msg"]))
    return f"{place}: {said}"[:200] if place else said[:200]


def _texts(given: HandedIn, name: str) -> tuple[str, ...]:
    values = given.fields.get(name, [])
    found = [each for each in cast("list[Any]", values) if isinstance(each, str)] if isinstance(values, list) else []
    return tuple(found[:50])


def _check_statement(given: HandedIn) -> None:
    """No findings is a statement; silence is malformed."""
    listed = given.fields.get("findings")
    said = given.fields.get("nothing_found")
    if not isinstance(said, bool) or not isinstance(listed, list):
        given.problems.append("nothing_found and findings: both are needed")
    elif said == bool(cast("list[Any]", listed)):
        given.problems.append("nothing_found: it says the opposite of findings")


def _findings(given: HandedIn) -> list[Finding]:
    found: list[Finding] = []
    for index, each in enumerate(given.entries("findings", wire.WireFinding)):
        if len(found) >= wire.MAX_FINDINGS:
            given.notes.append(f"{given.task.agent_id} handed in more than {wire.MAX_FINDINGS} findings; the rest was left out.")
            break
        finding = _finding(given, each, f"findings[{index}]")
        if finding:
            found.append(finding)
    return found


def _finding(given: HandedIn, each: wire.WireFinding, where: str) -> Finding | None:
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
                Reach(each.reach), _HARM[each.harm], Complexity(each.complexity), each.stringent_conditions, each.default_config
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
    """The typed facts of a flow as a proof, to be checked hop by hop (A55, A59). A step without one is a hop that was assumed."""
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


def _flow(given: HandedIn, each: wire.WireFlow) -> Flow | None:
    """A flow whose every step is a line that exists; the code is the file's own."""
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


def _flows(given: HandedIn) -> list[Flow]:
    """Flows beside findings. What they state step by step is kept for the checker."""
    found: list[Flow] = []
    for each in cast("list[wire.WireFlow]", given.entries("flows", wire.WireFlow)):
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


def _step(given: HandedIn, check: wire.WireCheck) -> ValidationStep:
    reason = given.said(check.reason, "reason")
    if check.result == "skip" or not reason.strip():
        return SKIPPED
    fact = _fact(check.file, check.line, check.operation, check.symbol)
    return ValidationStep(StepResult(check.result), reason, _place(check.file, check.line), fact)


def _validation(given: HandedIn, checks: wire.WireChecks) -> Validation:
    return Validation(
        _step(given, checks.flow), _step(given, checks.defence), _step(given, checks.reach), _step(given, checks.impact)
    )


def _claims(given: HandedIn) -> list[Claim]:
    found = cast("list[wire.WireClaim]", given.entries("coverage", wire.WireClaim))
    return [Claim(Dimension(each.dimension), _STATUS[each.status], given.said(each.reason, "reason")) for each in found]


def _excluded(given: HandedIn) -> list[FalsePositive]:
    found: list[FalsePositive] = []
    for each in cast("list[wire.WireExcluded]", given.entries("excluded", wire.WireExcluded)):
        if given.quote(each.file, each.line):
            found.append(FalsePositive(each.file, each.line, given.said(each.reason, "reason"), given.task.dimensions))
    return found


def _answers(given: HandedIn) -> list[Answered]:
    """Answers to the open items of the task. One that names no item, or no line of code, is sent back."""
    asked = {each.name for each in given.task.open_items}
    found: list[Answered] = []
    for index, each in enumerate(cast("list[wire.WireJudged]", given.entries("judged", wire.WireJudged))):
        place = _place(each.file, each.line)
        if each.item not in asked:
            given.reject(f"judged[{index}]", f"the task has no open item {each.item[:80]!r}; name it as the task does")
        elif place is None or not given.quote(each.file, each.line):
            given.reject(f"judged[{index}] ({each.item})", "name the line of code that decides, as file and line")
        else:
            found.append(Answered(each.item, place, each.verdict, given.said(each.reason, "reason")))
    return found


def _judgements(given: HandedIn) -> list[Judgement]:
    found = cast("list[wire.WireJudgement]", given.entries("judgements", wire.WireJudgement))
    return [
        Judgement(each.claim, Verdict(each.verdict), _validation(given, each.checks), _place(each.file, each.line))
        for each in found
    ]


def _hits(given: HandedIn) -> list[HitJudgement]:
    found: list[HitJudgement] = []
    for index, each in enumerate(cast("list[wire.WireHit]", given.entries("hits", wire.WireHit))):
        finding = _finding(given, each.finding, f"hits[{index}]") if each.finding else None
        verdict = HitVerdict(each.verdict)
        if verdict is HitVerdict.CONFIRMED and finding is None:
            verdict = HitVerdict.NEEDS_MANUAL  # a bare word confirms nothing
        found.append(HitJudgement(each.hit, verdict, given.said(each.reason, "reason"), finding))
    return found
