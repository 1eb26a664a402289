"""Findings against what was known: new, persisting or fixed since an earlier run, and accepted for a while.

An accepted finding stays in the report with who accepted it, why and until when; it only no longer fails the run. An
expired acceptance is said and has no effect. Both lists come from the user, never from the reviewed code.
"""

from dataclasses import dataclass, replace

from counterproof.model.known import Acceptance, KnownFinding
from counterproof.model.report import ReportedFinding

NEW = "new"
PERSISTING = "persisting"


@dataclass(frozen=True, slots=True)
class Compared:
    """Findings with their history, what disappeared, and acceptances that no longer hold or never fitted."""

    findings: tuple[ReportedFinding, ...]
    fixed: tuple[KnownFinding, ...]
    notes: tuple[str, ...]


def compared(
    findings: tuple[ReportedFinding, ...],
    known: tuple[KnownFinding, ...] | None,
    accepted: tuple[Acceptance, ...],
    today: str,
) -> Compared:
    """`known` is None when there is no earlier run to compare with."""
    earlier = {each.fingerprint for each in known or ()}
    valid = {each.fingerprint: each for each in accepted if each.holds(today)}
    rows = tuple(_with_history(row, None if known is None else earlier, valid) for row in findings)
    present = {row.fingerprint for row in findings}
    fixed = tuple(each for each in known or () if each.fingerprint not in present)
    return Compared(rows, fixed, _notes(accepted, present, today))


def _with_history(row: ReportedFinding, earlier: set[str] | None, valid: dict[str, Acceptance]) -> ReportedFinding:
    history = "" if earlier is None else PERSISTING if row.fingerprint in earlier else NEW
    acceptance = valid.get(row.fingerprint)
    said = f"accepted by {acceptance.author} until {acceptance.expires}: {acceptance.reason}" if acceptance else ""
    return replace(row, history=history, accepted=said)


def _notes(accepted: tuple[Acceptance, ...], present: set[str], today: str) -> tuple[str, ...]:
    lines: list[str] = []
    for each in accepted:
        if each.fingerprint in present and not each.holds(today):
            lines.append(f"The exception for {each.fingerprint} by {each.author} expired on {each.expires}.")
        elif each.fingerprint not in present:
            lines.append(f"The exception for {each.fingerprint} by {each.author} fits no finding.")
    return tuple(lines)


def counts_against(row: ReportedFinding) -> bool:
    """Whether a finding may fail the run: not accepted, and new where there is an earlier run to compare with."""
    return not row.accepted and row.history != PERSISTING
