"""One finding of a review explained in plain text: who found it, who said what about it and where, how the vote went, what
changed its severity, which guardrails touched it.

For a terminal: everything that comes from the reviewed files or an agent is made inert here. Nothing is decided here.
"""

from collections.abc import Iterator

from counterproof.model.review.conversion import as_finding, as_reported, fingerprint, said
from counterproof.model.review.finding import shown
from counterproof.model.review.position import Position, Resolution, Resolved, Stance
from counterproof.model.review.report import ReviewReport
from counterproof.model.severity import Severity
from counterproof.reports.explanation import code_around
from counterproof.reports.inert import MAX_TEXT, line
from counterproof.reports.review.reading import DISPUTED
from counterproof.reports.screen import wrapped
from counterproof.reports.wording import counted

MIN_FINGERPRINT = 6
_STANCES = {Stance.AGREE: "agrees", Stance.CHALLENGE: "challenges", Stance.ABSTAIN: "abstains"}


def named(report: ReviewReport, name: str) -> tuple[Resolved, ...]:
    """The findings that an id or the beginning of a fingerprint fits; dismissed ones too."""
    prints = _fingerprints(report)
    return tuple(
        each
        for each in report.resolved
        if each.finding.id == name.strip().upper()
        or (len(name) >= MIN_FINGERPRINT and prints[each.finding.id].startswith(name.strip().lower()))
    )


def _fingerprints(report: ReviewReport) -> dict[str, str]:
    standing = {row.number: row.fingerprint for row in as_reported(report)}
    gone = {each.finding.id: fingerprint(each.finding, 0) for each in report.resolved if not each.kept}
    return standing | gone


def explain(report: ReviewReport, each: Resolved) -> str:
    """The whole explanation, ending in a newline."""
    finding = each.finding
    plain = as_finding(finding)
    parts = [
        f"{finding.id}  {shown(each.severity).value.upper()}  {line(finding.title)}",
        f"{line(str(finding.location))}  CWE-{plain.cwe}  {line(finding.domain)}",
        *_found(finding.specialist, plain.found_by, finding.confidence.value, finding.trust.value),
        f"fingerprint {_fingerprints(report)[finding.id]}",
        "",
        *_section("Code", [f"  {row}" for row in code_around(plain)]),
        *_section("What is wrong", _prose(said(finding))),
        *_section("Chain", _prose(finding.impact_chain)),
        *_section("Source", [f"  {line(plain.source)}"] if plain.source else []),
        *_section("Fix", _prose(finding.fix)),
        *_section("Positions", _listed(_positions(each))),
        *_section("Vote", _listed(_vote(report, each))),
        *_section("Severity", _listed(_severity(report, each))),
        *_section("Guardrails", _listed(_trips(report, finding.id) or ["none touched it"])),
        *_section("Course", _listed(_course(report, each))),
        *_section("Notes", _listed(_notes(report, each))),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def _found(finder: str, seen: tuple[str, ...], confidence: str, trust: str) -> list[str]:
    others = [name for name in seen if name != finder]
    also = f", seen by {', '.join(others)} too" if others else ""
    return list(wrapped(f"found by {finder}{also}; confidence {confidence}; source trust {trust}"))


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, *lines, ""] if lines else []


def _prose(text: str) -> list[str]:
    return list(wrapped(text, "  ", "  ", MAX_TEXT)) if text.strip() else []


def _listed(items: list[str]) -> list[str]:
    return [row for text in items for row in wrapped(text, "  - ", "    ", MAX_TEXT)]


def _positions(each: Resolved) -> list[str]:
    rows = [_position(one) for one in each.positions]
    if each.defence:
        stands = "stands by it" if each.defence.stands else "withdraws it"
        place = f" ({each.defence.at})" if each.defence.at else ""
        rows.append(f"{each.finding.specialist} {stands}: {each.defence.text}{place}")
    return rows or ["nobody but its finder spoke on it"]


def _position(one: Position) -> str:
    level = f" as {_level(one.severity)}" if one.severity else ""
    why = f": {one.evidence}" if one.evidence.strip() else ""
    place = f" ({one.at})" if one.at else f' ("{one.quote}")' if one.quote.strip() else ""
    by = f" ({one.model})" if one.model else ""
    reason = f" [{one.reason}]" if one.reason else ""
    return f"{one.specialist}{by} {_STANCES[one.stance]}{level}{why}{place}{reason}"


def _level(severity: Severity) -> str:
    """The review's word; with the one scale's own where that says more."""
    word = shown(severity).value
    return word if word.lower() == severity.value else f"{word} ({severity.value})"


def _vote(report: ReviewReport, each: Resolved) -> list[str]:
    against = sum(one.stance is Stance.CHALLENGE for one in each.positions)
    silent = [one.code for one in report.profile.specialists if one.code not in each.pool]
    rows = [f"{each.label}: {len(each.pool) - against} for it, its finder included, {against} against it"]
    if silent:
        rows.append(f"no vote from {', '.join(silent)}")
    if each.withdrawn:
        rows.append("dismissed because its finder withdrew it, whatever the votes")
    if each.resolution is Resolution.ESCALATED:
        rows.append("neither side has a majority: the specialists leave this one to you")
    if each.resolution is Resolution.DISPUTED:
        rows.append(DISPUTED)
    return rows


def _severity(report: ReviewReport, each: Resolved) -> list[str]:
    """What the guardrails took off, what each vote says, and what is shown."""
    mine = each.finding
    before = [text for name, text in _touching(report, mine.id) if name in _SEVERITY_GUARDS]
    agreed = [f"{one.specialist} {_level(one.severity)}" for one in each.positions if one.severity]
    rows = [*before, f"{mine.specialist}, its finder, votes {_level(mine.severity)}"]
    rows += [f"those who agree say {', '.join(agreed)}"] if agreed else []
    rows += ["the most frequent counts, and of a tie the highest"] if each.severities_differ else []
    return [*rows, f"shown as {_level(each.severity)}"]


_SEVERITY_GUARDS = ("source trust", "scope", "evidence")
"""Guardrails that lower a severity (R13, R23, R26)."""


def _touching(report: ReviewReport, name: str) -> Iterator[tuple[str, str]]:
    """Each trip once, though every iteration may repeat it."""
    yield from dict.fromkeys((guardrail, text) for guardrail, finding, text in report.trips if finding == name)


def _trips(report: ReviewReport, name: str) -> list[str]:
    return [f"{guardrail}: {text}" for guardrail, text in _touching(report, name)]


def _course(report: ReviewReport, each: Resolved) -> list[str]:
    name = each.finding.id
    rows = [f"{one.what} by {one.who} in iteration {one.iteration}" for one in report.life if one.finding_id == name]
    return rows + [f"since the review before: {change.value}" for found, change in report.changes if found == name]


def _notes(report: ReviewReport, each: Resolved) -> list[str]:
    name = each.finding.id
    shared = [other for group in report.together if name in group for other in group if other != name]
    rows = list(each.notes)
    rows += [f"{counted(len(shared), 'other finding')} on the same lines: {', '.join(shared)}"] if shared else []
    return rows
