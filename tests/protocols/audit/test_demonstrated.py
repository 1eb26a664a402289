"""What demonstrations change in a report (A66), without running anything."""

from dataclasses import replace

import pytest

from counterproof.model.confidence import Confidence
from counterproof.model.demonstration import Demonstration, Outcome
from counterproof.model.report import ReportedFinding
from counterproof.protocols.audit.demonstrated import with_demonstrations
from protocols.audit.modes_of_audit import quick_report
from protocols.audit.play import a_finding

pytestmark = pytest.mark.rule("A66")


def rows() -> tuple[ReportedFinding, ...]:
    return quick_report(a_finding(20), a_finding(90, title="Another")).findings


def word(row: ReportedFinding, outcome: Outcome, text: str = "seen") -> Demonstration:
    return Demonstration(row.fingerprint, row.number, outcome, text, steps="curl …")


def test_what_was_shown_is_demonstrated_with_its_steps_and_number_and_severity_stay() -> None:
    first, second = rows()
    shown, other = with_demonstrations((first, second), (word(first, Outcome.SHOWN),))
    assert shown.confidence is Confidence.DEMONSTRATED
    assert shown.finding.poc == "curl …"
    assert (shown.number, shown.severity) == (first.number, first.severity)
    assert other == second


@pytest.mark.parametrize("outcome", [Outcome.UNSEEN, Outcome.NOT_RUN])
def test_an_unobserved_effect_is_a_note_and_changes_nothing_else(outcome: Outcome) -> None:
    first, second = rows()
    noted, _ = with_demonstrations((first, second), (word(first, outcome, "every input was tried"),))
    assert noted.said == (*first.said, f"{outcome.value}: every input was tried")
    assert replace(noted, said=first.said) == first


def test_an_effect_that_no_longer_occurs_stays_demonstrated_and_says_both() -> None:
    first, second = rows()
    words = (word(first, Outcome.SHOWN), word(first, Outcome.NO_LONGER, "every input was tried"))
    row, _ = with_demonstrations((first, second), words)
    assert row.confidence is Confidence.DEMONSTRATED
    assert row.said[-2:] == ("demonstrated: seen", "no longer happens: every input was tried")
