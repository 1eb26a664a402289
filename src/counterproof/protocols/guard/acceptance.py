"""Compares findings with known ones: new, persisting or fixed since an earlier run, and accepted until a date.

An accepted finding stays in the report with who accepted it, why and until when; it just no longer fails the run. An expired
acceptance is reported and has no effect. Both lists come from the user, never from the reviewed code.

In a comparison with a revision (`Since`), an existing finding counts as new if the change made it worse: a higher severity sum
(for example, a guard was removed), or another flow through changed code. A finding of a model alone cannot be looked up in the
earlier revision; it is new if it lies on changed code, otherwise persisting.
"""

from dataclasses import dataclass, replace

from counterproof.model.finding import Corroboration
from counterproof.model.known import Acceptance, KnownFinding
from counterproof.model.posture import PostureEntry
from counterproof.model.report import ReportedFinding
from counterproof.model.since import Since, as_then, way_of

NEW = "new"
PERSISTING = "persisting"
WORSE = "worse by this change"
_ONE_WITNESS = (Corroboration.AGENT_ALONE, Corroboration.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class Compared:
    """Findings with their history, the findings that disappeared, and acceptances that expired or never matched."""

    findings: tuple[ReportedFinding, ...]
    fixed: tuple[KnownFinding, ...]
    notes: tuple[str, ...]


def compared(
    findings: tuple[ReportedFinding, ...],
    known: tuple[KnownFinding, ...] | None,
    accepted: tuple[Acceptance, ...],
    today: str,
    since: Since | None = None,
    posture: tuple[PostureEntry, ...] = (),
) -> Compared:
    """`known` is None if there is no earlier run to compare with; exceptions for `posture` are no findings' but match."""
    earlier = {each.fingerprint: each for each in known or ()}
    valid = {each.fingerprint: each for each in accepted if each.holds(today)}
    rows = tuple(_with_history(row, None if known is None else earlier, valid, since) for row in findings)
    present = {row.fingerprint for row in findings}
    if since:
        present |= {as_then(row, since.moved).fingerprint for row in findings}
    fixed = tuple(each for each in known or () if each.fingerprint not in present)
    present |= {each.fingerprint for each in posture}
    return Compared(rows, fixed, (*_notes(accepted, present, today), *(since.notes if since else ())))


def _with_history(
    row: ReportedFinding, earlier: dict[str, KnownFinding] | None, valid: dict[str, Acceptance], since: Since | None
) -> ReportedFinding:
    history = ""
    if earlier is not None:
        before = earlier.get((as_then(row, since.moved) if since else row).fingerprint)
        history = _history(row, before, since)
        if before and history == NEW:
            row = replace(row, labels=(*row.labels, WORSE))
    acceptance = valid.get(row.fingerprint)
    return replace(row, history=history, accepted=_said(acceptance) if acceptance else "")


def _history(row: ReportedFinding, before: KnownFinding | None, since: Since | None) -> str:
    if before is None:
        carried = since is not None and row.finding.corroboration in _ONE_WITNESS and not since.meets(row.finding)
        return PERSISTING if carried else NEW
    return NEW if since and _worse(row, since) else PERSISTING


def _worse(row: ReportedFinding, since: Since) -> bool:
    """True if the change affected a finding that existed before it."""
    renamed = as_then(row, since.moved)
    then, now = since.way(renamed.fingerprint), way_of(renamed)
    if then is None:
        return False
    return now.points > then.points or (then.flow != now.flow and since.meets(row.finding))


def _notes(accepted: tuple[Acceptance, ...], present: set[str], today: str) -> tuple[str, ...]:
    lines: list[str] = []
    for each in accepted:
        if each.fingerprint in present and not each.holds(today):
            lines.append(f"The exception for {each.fingerprint} by {each.author} expired on {each.expires}.")
        elif each.fingerprint not in present:
            lines.append(f"The exception for {each.fingerprint} by {each.author} matches no finding.")
    return tuple(lines)


def accepted_posture(entries: tuple[PostureEntry, ...], accepted: tuple[Acceptance, ...], today: str) -> tuple[PostureEntry, ...]:
    """Posture entries with their acceptances, in the same form as findings."""
    valid = {each.fingerprint: each for each in accepted if each.holds(today)}
    return tuple(
        replace(entry, accepted=_said(valid[entry.fingerprint])) if entry.fingerprint in valid else entry for entry in entries
    )


def _said(acceptance: Acceptance) -> str:
    return f"accepted by {acceptance.author} until {acceptance.expires}: {acceptance.reason}"


def counts_against(row: ReportedFinding) -> bool:
    """True if a finding may fail the run: not accepted, and new if there is an earlier run to compare with."""
    return not row.accepted and row.history != PERSISTING
