"""Formats tool results and task data as text for data blocks.

Invariant: hidden characters are visible; other agents' words are not shown, only fields that the engine checked: a location, a
kind, a quotation that is in the file (R9, X8). `conversation` adds the marks around the text.
"""

import json

from counterproof.analysis.git import Log
from counterproof.analysis.text.hidden import visible
from counterproof.knowledge.modules import KnowledgeModule
from counterproof.model.baseline import Hit
from counterproof.model.finding import Finding
from counterproof.model.text import lines_in
from counterproof.model.transfer import RoundContext
from counterproof.protocols.audit.transfer import shown
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.results import Lines, Paths, SearchResult, Traced, UnitLines, Units

ToolAnswer = Lines | SearchResult | Paths | Log | Units | Traced | KnowledgeModule


def rendered(answer: ToolAnswer) -> tuple[Category, str]:
    """A tool result as text, with its category of data."""
    category = Category.CODE
    match answer:
        case Lines():
            text = _lines(answer)
        case SearchResult():
            category, text = Category.SEARCH, _search(answer)
        case Paths():
            category, text = Category.SCOPE, _paths(answer)
        case Log():
            category, text = Category.HISTORY, _log(answer)
        case Units():
            text = _units(answer)
        case Traced():
            text = _traced(answer)
        case KnowledgeModule():
            category, text = Category.REFERENCE, answer.text
    return category, visible(text).text


def _lines(answer: Lines) -> str:
    rows = [f"{each.number} {each.text}" for each in answer.lines]
    return "\n".join([f"{answer.path}, {answer.total} lines", *rows])


def _search(answer: SearchResult) -> str:
    rows = [f"{each.path}:{each.line}: {each.text}" for each in answer.shown]
    head = f"{answer.hits}{' or more' if answer.more else ''} hits in {len(answer.files)} files"
    if not answer.hits and answer.counted is not None:
        head += (
            "; on record as evidence of absence" if answer.counted else "; not on record: it would not have found a known sink"
        )
    if len(answer.shown) < answer.hits:
        rows.append(f"… ({answer.hits - len(answer.shown)} more)")
    if answer.unsearched:
        rows.append(f"not searched: {', '.join(answer.unsearched[:10])}")
    return "\n".join([head, *rows])


def _paths(answer: Paths) -> str:
    more = [f"… ({answer.total - len(answer.paths)} more)"] if answer.total > len(answer.paths) else []
    return "\n".join([f"{answer.total} files", *answer.paths, *more])


def _log(answer: Log) -> str:
    rows = [f"{each.id[:12]} {each.date} {each.author}: {each.subject}" for each in answer.commits]
    return "\n".join([*rows, *(["… (more)"] if answer.more else [])]) or "no commits"


def _units(answer: Units) -> str:
    more = [f"… ({answer.total - len(answer.units)} more)"] if answer.total > len(answer.units) else []
    return "\n".join([f"{answer.total} places {answer.what}", *map(unit, answer.units), *more])


def unit(each: UnitLines) -> str:
    """A unit with its location and numbered lines; gaps are shown."""
    at = f", at {', '.join(map(str, each.matter[:10]))}" if each.matter else ""
    at += " (shown before; `read` shows it again)" if each.before else ""
    rows = [f"{each.path}:{each.first}-{each.last} {each.name}".rstrip() + at]
    before = 0
    for line in each.lines:
        if before and line.number != before + 1:
            rows.append("        …")
        rows.append(f"{line.number} {line.text}")
        before = line.number
    return "\n".join(rows)


def _traced(answer: Traced) -> str:
    rows: list[str] = []
    if answer.bound:
        rows.append("no known sink is here; by the syntax alone, what the line uses is set here, nearest first:")
        rows += answer.bound
        rows.append("follow it yourself and state the flow step by step: it is checked hop by hop, and then counts as traced")
    for trace in answer.traces:
        end = f"comes from: {trace.origin}" if trace.complete else f"not followed to the end: {trace.broken_by}"
        rows.append(f"{trace.dimension.value} {trace.kind} sink at {trace.sink}: {end}")
    for number, flow in enumerate(answer.flows, 1):
        rows.append(f"flow {number}{f', broken by {flow.broken_by.value}' if flow.broken_by else ''}")
        rows += [f"  {step.kind.value} {step.location}: {step.code}" for step in flow.steps]
    return "\n".join(rows)


def places(findings: tuple[Finding, ...]) -> str:
    """The locations and kinds of weakness, without the claims (A53)."""
    return visible("\n".join(_place_and_kind(each) for each in findings)).text


def _place_and_kind(each: Finding) -> str:
    return f"claim {each.id}: CWE-{each.cwe}, {each.dimension.value} {each.dimension.label}, at {each.location}"


def claims(findings: tuple[Finding, ...]) -> str:
    """Others' claims without their words: only checked values and values from fixed lists."""
    rows: list[str] = []
    for each in findings:
        rows.append(_place_and_kind(each))
        rows += [f"  quoted: {line}" for line in lines_in(each.evidence)]
        for step in each.flow.steps if each.flow else ():
            rows.append(f"  {step.kind.value} at {step.location}")
    return visible("\n".join(rows)).text


def leads(hits: tuple[Hit, ...]) -> str:
    rows = [
        f"hit {each.id}: {each.rule} at {each.location}{f', CWE-{each.cwe}' if each.cwe else ''}"
        f"{f', {each.dimension.value}' if each.dimension else ''}"
        for each in hits
    ]
    return visible("\n".join(rows)).text


def context(handed_on: RoundContext) -> str:
    """The results of earlier rounds, in the protocol's shape, without the agents' reasons."""
    data = shown(handed_on)
    for entry in data["round_context"]["transfer_data"]["FALSE_POSITIVES"]:
        entry["reason"] = "excluded by an earlier agent"
    return visible(json.dumps(data, ensure_ascii=False, indent=1)).text
