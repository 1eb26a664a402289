"""The wire format of a model's result: one object for every kind of task, unknown fields ignored, sizes bounded.

Invariant: a field with a fixed set of values is an enumeration in the model's schema, including those of the task: the
profile's domains, the findings that it may refer to, the documents (R39).
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from counterproof.agents.models.schemas import schema_text
from counterproof.model.fact import Operation
from counterproof.model.review.contract import ReviewTask, Work
from counterproof.model.review.profile import Profile

MAX_ENTRIES = 100
Short = Annotated[str, StringConstraints(max_length=400)]
Long = Annotated[str, StringConstraints(max_length=4_000)]
SeverityWord = Literal["critical", "high", "medium", "low"]


class Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=False)


class WireFinding(Entry):
    kind: Short
    cwe: int = 0
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
    breaks_file: Short = ""
    breaks_line: int = 0
    breaks_quote: Long = ""
    older: bool = False


class WirePosition(Entry):
    finding: Short
    stance: Literal["agree", "challenge", "abstain"]
    severity: SeverityWord | None = None
    evidence: Long = ""
    file: Short = ""
    line: int = 0
    quote: Long = ""
    operation: Operation | None = None
    symbol: Short = ""


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


def schema_of(task: ReviewTask, profile: Profile) -> str:
    """The JSON schema of a task's result, with the values that this task accepts."""
    accepted = accepted_by(task, profile)
    fields: dict[str, Any] = {name: {"type": "string"} for name in ("marker", "agent_id")}
    fields["iteration"] = {"type": "integer"}
    if task.work is Work.REFINE:
        fields |= {"no_findings": {"type": "boolean"}, "checked_twice": {"type": "boolean"}}
    shared: dict[str, Any] = {}
    for name in lists_of(task.work):
        entry = ENTRIES[name].model_json_schema()
        shared |= entry.pop("$defs", {})
        for field in entry["properties"]:
            if f"{name}.{field}" in accepted:
                entry["properties"][field] = {"type": "string", "enum": list(accepted[f"{name}.{field}"])}
        fields[name] = {"type": "array", "items": entry}
    whole = {"type": "object", "properties": fields, "required": list(fields)}
    return schema_text({**whole, "$defs": shared} if shared else whole)


def accepted_by(task: ReviewTask, profile: Profile) -> dict[str, tuple[str, ...]]:
    """The values that a task accepts, by list and field. Fields without any are omitted."""
    shown = tuple(each.id for each in (*task.shown, *task.others))
    values = {
        "findings.domain": profile.domains,
        "positions.finding": shown,
        "defences.finding": tuple(each.id for each in task.own if each.model),
        "verdicts.document": task.files,
    }
    return {name: given for name, given in values.items() if given}
