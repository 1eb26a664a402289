"""Adds demonstrations to a report (A66): the confidence of demonstrated findings, and notes.

Invariant: pure; numbers, severities and the order of findings never change; an effect that was not observed only adds a note.
"""

from dataclasses import replace

from counterproof.model.confidence import Confidence
from counterproof.model.demonstration import Demonstration, Outcome
from counterproof.model.report import ReportedFinding


def with_demonstrations(
    rows: tuple[ReportedFinding, ...], demonstrations: tuple[Demonstration, ...]
) -> tuple[ReportedFinding, ...]:
    """The findings with the results of running them. The latest result is reported; a finding once demonstrated stays so."""
    return tuple(_with(row, [each for each in demonstrations if each.fingerprint == row.fingerprint]) for row in rows)


def _with(row: ReportedFinding, words: list[Demonstration]) -> ReportedFinding:
    shown = next((each for each in reversed(words) if each.outcome is Outcome.SHOWN), None)
    told = [each for each in (shown, words[-1] if words else None) if each is not None]
    row = replace(row, said=(*row.said, *(f"{each.outcome.value}: {each.text}" for each in dict.fromkeys(told))))
    if shown is None:
        return row
    return replace(row, confidence=Confidence.DEMONSTRATED, finding=replace(row.finding, poc=shown.steps, no_poc_reason=""))
