"""Findings for sinks that untrusted data reaches, with flow, validation, rating and a demonstrating request.

Invariant: every named line exists and every quote is the line's exact text; a guess anywhere in the flow is stated and lowers
confidence. The request is built from route, method and parameter name; it only demonstrates and destroys nothing, and if the
entry point is unknown a reason takes its place. Not handled here: deciding whether data is harmful, and sending requests.
"""

import json
import re
from collections.abc import Iterable
from urllib.parse import quote

from counterproof.analysis.flow.hits import NOTES, Hit, stopping
from counterproof.analysis.flow.outcome import Outcome
from counterproof.analysis.flow.positions import FIXED
from counterproof.analysis.flow.proof import proof_of
from counterproof.analysis.flow.sources import BROWSER_CHANNELS, DOCUMENTS, LOCAL_CHANNELS, MODEL
from counterproof.analysis.flow.values import CALLER, Source, Taint, steps_of
from counterproof.analysis.project import Quotes
from counterproof.analysis.proofs import reach_of
from counterproof.analysis.ruleset import RuleInfo
from counterproof.model.finding import MAX_EVIDENCE_LINES, Finding, StepResult, Validation, ValidationStep
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.location import Location
from counterproof.model.recon import EntryKind, EntryPoint, Guard
from counterproof.model.severity import Complexity, Confidence, Impact, Rating, Reach, Severity

_MAX_NOTE = 300
_KINDS = {
    "argv": "command line or standard input",
    "message": "message",
    MODEL: "answer of a language model",
    "document": "content of a document",
    "reply": "answer of another server",
    CALLER: "argument of a caller",
    "link": "address of the page in the browser",
    "browser": "address or origin of the page in the browser",
}


def finding(outcome: Outcome, taint: Taint, entry: EntryPoint | None, quotes: Quotes) -> Finding:
    """The finding for one sink and the origin with the best evidence."""
    hit, rule = outcome.hit, outcome.hit.rule
    source = taint.origin
    assert isinstance(source, Source)
    where = quotes.location(hit.path, hit.line, min(hit.end, hit.line + MAX_EVIDENCE_LINES - 1))
    flow = _flow(outcome, taint, quotes)
    sure = flow.broken_by is None and outcome.certain
    local = source.channel in LOCAL_CHANNELS
    slight = local or hit.sink.question
    poc, reason = proof(source, hit.rule.poc, entry, (step.code for step in flow.steps))
    return Finding(
        id="",
        rule=rule.id,
        title=rule.title,
        dimension=rule.dimension,
        cwe=rule.cwe,
        severity=Severity.LOW if slight else rule.severity,
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        location=where,
        evidence=quotes.evidence(where),
        impact=rule.consequence,
        rating=_rating(hit, entry, source),
        function=hit.function,
        source=_described(source),
        sink=_sink_name(outcome),
        flow=flow,
        guards=_guards(outcome, taint),
        remedy=remedy_for(rule, quotes.evidence(where)),
        poc=poc,
        no_poc_reason=reason,
        validation=_validation(outcome, taint, flow, entry, where),
        posture=rule.posture,
        proof=proof_of(quotes, outcome, taint, entry, _checks(taint)),
    )


def _described(source: Source) -> str:
    name = f" “{source.parameter}”" if source.parameter and not source.parameter.startswith("<") else ""
    kind = _KINDS.get(source.channel, f"request, {source.channel}")
    return f"{kind}{name} at {source.path}:{source.line}"


def _sink_name(outcome: Outcome) -> str:
    call = outcome.hit.call
    place = f"{outcome.hit.sink_path}:{outcome.hit.sink_line}"
    if call == "<template>":
        return f"printed by a template at {place}"
    if call.endswith("[]"):
        return f"entry of {call.removesuffix('[]')} at {place}"
    return f"return of a web handler at {place}" if call == "<return>" else f"{call.removeprefix('*.')} at {place}"


def _flow(outcome: Outcome, taint: Taint, quotes: Quotes) -> Flow:
    steps: list[FlowStep] = []
    for step in steps_of(taint.step):
        place = quotes.location(step.path, step.line, step.line)
        if steps and steps[-1].location == place:
            continue
        steps.append(FlowStep(place, step.kind, quotes.line(place.path, place.start), step.note[:_MAX_NOTE]))
    last = quotes.location(outcome.hit.sink_path, outcome.hit.sink_line, outcome.hit.sink_line)
    sink = FlowStep(last, StepKind.SINK, quotes.line(last.path, last.start), outcome.hit.rule.title)
    if not steps:
        steps = [FlowStep(sink.location, StepKind.SOURCE, sink.code, "")]
    elif len(steps) > 1 and steps[-1].location == sink.location and steps[-1].kind is not StepKind.SOURCE:
        steps.pop()
    return Flow((*steps, sink), taint.broken)


def _checks(taint: Taint) -> list[str]:
    """The checks applied to data on its way. A fixed prefix does not count, because it does not check the rest."""
    return sorted(taint.passed - NOTES - {FIXED})


def _guards(outcome: Outcome, taint: Taint) -> tuple[str, ...]:
    """The checks on this flow that are insufficient for the sink, and the sufficient checks on other flows to it."""
    weak = [f"passed {label}, which does not stop this" for label in _checks(taint)]
    other = sorted({label for each in outcome.harmless for label in stopping(outcome.hit.rule, each.passed)})
    return (*weak, *(f"another way to this sink is guarded by {label}" for label in other))


def _reach(entry: EntryPoint | None, source: Source) -> Reach:
    """The user who starts the program is its administrator; a page's URL is opened by anyone who follows a link."""
    if source.channel in LOCAL_CHANNELS:
        return Reach.ADMIN
    return Reach.ANONYMOUS if source.channel in BROWSER_CHANNELS else reach_of(entry)


def _rating(hit: Hit, entry: EntryPoint | None, source: Source) -> Rating:
    """The rating of a sink. A file's existence is useful only with a second weakness, and only if the sender sees the result."""
    reach = _reach(entry, source)
    if hit.sink.question:
        return Rating(reach, Impact.LOCAL, Complexity.STRONG_PRECONDITIONS, stringent_conditions=1)
    if source.channel in LOCAL_CHANNELS:  # a user must be tricked into starting the program with it
        return Rating(reach, Impact.LOCAL, Complexity.MULTI_STEP)
    if source.channel == MODEL or source.channel in DOCUMENTS:  # the attacker must get the model, or the document, to contain it
        return Rating(reach, hit.rule.impact, Complexity.MULTI_STEP)
    return Rating(reach, hit.rule.impact, hit.rule.complexity)


def _validation(outcome: Outcome, taint: Taint, flow: Flow, entry: EntryPoint | None, where: Location) -> Validation:
    source_at = flow.source.location
    if flow.broken_by:
        followed = ValidationStep(StepResult.PARTIAL, f"the flow {flow.broken_by.words}", where)
    else:
        followed = ValidationStep(StepResult.PASS, f"followed over {flow.depth} steps from {source_at} to {where}", where)
    if _checks(taint):
        text = "passed " + ", ".join(_checks(taint)) + ", none of which stops this kind of attack"
        defence = ValidationStep(StepResult.PASS, text, where)
    else:
        defence = ValidationStep(StepResult.PASS, "no check, conversion or escaping on the way", where)
    if not outcome.certain:
        defence = ValidationStep(StepResult.PARTIAL, "the receiver of the call could not be identified for certain", where)
    return Validation(
        followed,
        defence,
        _reached(taint, entry, source_at),
        ValidationStep(StepResult.PASS, outcome.hit.rule.consequence, where),
    )


def _reached(taint: Taint, entry: EntryPoint | None, source_at: Location) -> ValidationStep:
    source = taint.origin
    if isinstance(source, Source) and source.channel in LOCAL_CHANNELS:
        return ValidationStep(StepResult.PARTIAL, "only someone who can start the program chooses this data", source_at)
    if isinstance(source, Source) and source.channel in DOCUMENTS:
        return ValidationStep(StepResult.PARTIAL, "whoever makes the document, or runs the other server, chooses it", source_at)
    if isinstance(source, Source) and source.channel == MODEL:
        return ValidationStep(StepResult.PARTIAL, "whoever writes a text that the model reads can steer its answer", source_at)
    if entry is None:
        return ValidationStep(
            StepResult.PARTIAL, "the data is part of a request, but no entry point was found for this code", source_at
        )
    guard = {Guard.PRESENT: "after a login check", Guard.ABSENT: "without a login"}.get(entry.guard, "with no login check seen")
    return ValidationStep(StepResult.PASS, f"reached through {entry.label} {guard}", entry.handler)


_IDENTIFIER = re.compile(
    r"\b(?:ORDER\s+BY|GROUP\s+BY|FROM|JOIN|INTO|UPDATE|TABLE|COLUMN|DATABASE|SCHEMA)\s+[\"'`\[]?\s*"
    r"(?:[\"'`]{1,3}\s*(?:\+|%|\.format|,)|\$?\{|%\(?\w*\)?s)",
    re.IGNORECASE,
)
"""An SQL keyword followed by an identifier, then the concatenation: `ORDER BY " + x`, `FROM {x}`."""
_FROM_A_LIST = "A column or table name cannot be a parameter: take it from a fixed list of names and refuse all others."


def remedy_for(rule: RuleInfo, code: str) -> str:
    """The rule's remedy, or the remedy for identifiers where SQL accepts no parameter."""
    return _FROM_A_LIST if rule.kind == "sql" and _IDENTIFIER.search(code) else rule.remedy


BASE = "http://localhost:8000"
_WITH_BODY = ("POST", "PUT", "PATCH")
_GRAPHQL = "/graphql#"
"""Separates the fields of a GraphQL schema among entry points."""


def proof(source: Source, payload: str, entry: EntryPoint | None, lines: Iterable[str] = ()) -> tuple[str, str]:
    """(proof, reason for having none): exactly one is non-empty. `lines` is the code along the flow, which shows which field of a
    body the parameter is."""
    if source.channel == "argv":
        return "", "the data comes from the command line or standard input of whoever starts the program"
    if source.channel == MODEL:
        return "", "what a model answers to a given text differs from model to model"
    if not payload:
        return "", "the rule has no single payload that shows the weakness"
    if entry is None:
        return "", f"no entry point was found that leads to {source.path}:{source.line}"
    if entry.kind is not EntryKind.HTTP:
        return "", f"the data arrives through {entry.kind.value} {entry.path or entry.name}, not through a web request"
    if entry.path.startswith(_GRAPHQL):
        return _asked(source, payload, entry), ""
    return _curl(_arrival(source, entry, lines), payload, entry), ""


def _arrival(source: Source, entry: EntryPoint, lines: Iterable[str]) -> Source:
    """`convert(body)` with `body.file` later is a field of a JSON body, unless the route's path has the parameter."""
    in_path = re.search(rf"[<{{:](?:\w+:)?{re.escape(source.parameter)}\b", entry.path)
    if source.channel != "path" or in_path or not source.parameter or entry.method.upper() not in _WITH_BODY:
        return source
    name = re.escape(source.parameter)
    field = re.compile(rf"(?<![\w.]){name}(?:\??\.(\w+)\b(?!\s*\()|\[\s*[\"'](\w+)[\"']\s*\]|\.get\(\s*[\"'](\w+)[\"'])")
    found = next((match for line in lines if (match := field.search(line))), None)
    return source._replace(channel="json", parameter=next(filter(None, found.groups()))) if found else source


def _asked(source: Source, payload: str, entry: EntryPoint) -> str:
    """A GraphQL query; the schema determines the available response fields."""
    kind = "mutation" if entry.method == "MUTATION" else "query"
    name = source.parameter if source.parameter.isidentifier() and source.parameter not in ("args", "arguments") else "argument"
    query = f"{kind} {{ {entry.path.removeprefix(_GRAPHQL)}({name}: {json.dumps(payload)}) }}"
    body = json.dumps({"query": query})
    return f"curl -X POST -H 'Content-Type: application/json' -d {_quoted(body)} {_quoted(BASE + '/graphql')}"


def _quoted(text: str) -> str:
    """Quote a text as a single shell word."""
    return "'" + text.replace("'", "'\\''") + "'"


def _url(entry: EntryPoint, source: Source, payload: str) -> str:
    path = entry.path if entry.path.startswith("/") else f"/{entry.path}"
    if source.channel != "path" or not source.parameter:
        return BASE + path
    for opening, closing in (("<", ">"), ("{", "}")):
        start = path.find(opening)
        while start >= 0:
            end = path.find(closing, start)
            if end < 0:
                break
            if source.parameter in path[start + 1 : end].split(":"):
                return BASE + path[:start] + quote(payload, safe="") + path[end + 1 :]
            start = path.find(opening, end)
    return f"{BASE}{path}?{quote(source.parameter)}={quote(payload, safe='')}"


def _curl(source: Source, payload: str, entry: EntryPoint) -> str:
    name = source.parameter or "x"
    method = entry.method.upper() if entry.method.isalpha() else "GET"
    flags = [] if method in ("GET", "ANY") else ["-X", method]
    url = _url(entry, source, payload)
    encoded = f"{quote(name)}={quote(payload, safe='')}"
    if source.channel == "query":
        url = f"{url}?{encoded}"
    else:
        flags += _carried(source.channel, name, payload, encoded)
    return " ".join(["curl", *flags, _quoted(url)])


def _carried(channel: str, name: str, payload: str, encoded: str) -> list[str]:
    """The curl arguments that send data through this channel."""
    ways = {
        "form": ["--data-urlencode", _quoted(f"{name}={payload}")],
        "cookie": ["--cookie", _quoted(encoded)],
        "header": ["-H", _quoted(f"{name}: {payload}")],
        "json": ["-H", "'Content-Type: application/json'", "-d", _quoted(json.dumps({name: payload}))],
        "file": ["-F", _quoted(f"{name}=@sample.txt;filename={payload}")],
        "body": ["--data-binary", _quoted(payload)],
    }
    return ways.get(channel, [])
