"""What a model hands in, as the engine reads it: one object for every kind of task, unknown fields ignored, sizes bounded."""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from counterproof.model.review.contract import Work

MAX_ENTRIES = 100
Short = Annotated[str, StringConstraints(max_length=400)]
Long = Annotated[str, StringConstraints(max_length=4_000)]
SeverityWord = Literal["critical", "high", "medium", "low"]


class Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=False)


class WireFinding(Entry):
    kind: Short
    title: Short
    domain: Short
    severity: SeverityWord
    confidence: Literal["high", "medium", "low"]
    trust: Literal["External", "Authenticated", "Privileged", "Internal", "N/A"]
    file: Short
    start: int
    end: int
    quote: Long
    evidence: Long
    impact_chain: Long = ""
    fix: Long = ""
    source_file: Short = ""
    source_line: int = 0


class WirePosition(Entry):
    finding: Short
    stance: Literal["agree", "challenge", "abstain"]
    severity: SeverityWord | None = None
    evidence: Long = ""
    file: Short = ""
    line: int = 0
    quote: Long = ""


class WireDefence(Entry):
    finding: Short
    stands: bool
    text: Long
    file: Short = ""
    line: int = 0


class WireVerdict(Entry):
    document: Short
    verdict: Literal["Approve", "Revise", "Reject"]


_LISTS: dict[Work, tuple[str, ...]] = {
    Work.REFINE: ("findings", "verdicts"),
    Work.CHALLENGE: ("positions", "findings"),
    Work.ADVOCATE: ("positions",),
    Work.DEFEND: ("defences",),
}
ENTRIES: dict[str, type[Entry]] = {
    "findings": WireFinding,
    "positions": WirePosition,
    "defences": WireDefence,
    "verdicts": WireVerdict,
}


def lists_of(work: Work) -> tuple[str, ...]:
    """The lists that a task's result may hold."""
    return _LISTS[work]


def schema_of(work: Work) -> str:
    """The JSON schema of a task's result."""
    fields: dict[str, Any] = {name: {"type": "string"} for name in ("marker", "agent_id")}
    fields["iteration"] = {"type": "integer"}
    if work is Work.REFINE:
        fields |= {"no_findings": {"type": "boolean"}, "checked_twice": {"type": "boolean"}}
    if work is Work.CHALLENGE:
        fields["open"] = {"type": "array", "items": {"type": "string"}}
    for name in lists_of(work):
        fields[name] = {"type": "array", "items": ENTRIES[name].model_json_schema()}
    return json.dumps({"type": "object", "properties": fields, "required": list(fields)}, sort_keys=True)
