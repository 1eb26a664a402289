"""What fails a run (A69): the whole table, row by row."""

import itertools

import pytest

from counterproof.model.confidence import Confidence
from counterproof.model.receipt import Exit
from counterproof.model.severity import Ground, Severity
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.guard.failing import Effect, Terms, counts, effect
from counterproof.reports import wording
from protocols.audit.cast import audit, grave, hunter, low, medium, play_on, report_of
from protocols.audit.modes_of_audit import quick_report

GRAVE = (Severity.CRITICAL, Severity.HIGH)
CONFIRMED = (Confidence.DEMONSTRATED, Confidence.PROVED, Confidence.VALIDATED)


def expected(severity: Severity, confidence: Confidence, by_model: bool, quick: bool, fail_on: Severity) -> Effect:
    """A69 in the order of its sentences, with the default for `--min-confidence`."""
    at_or_above = severity.rank >= fail_on.rank
    if confidence in CONFIRMED:
        return Effect.FAILS if at_or_above else Effect.NOTHING
    if confidence is Confidence.CLAIMED and by_model and quick:
        return Effect.FAILS if at_or_above else Effect.NOTHING
    if confidence is Confidence.CLAIMED and by_model and severity in GRAVE:
        return Effect.LEAVES_OPEN
    return Effect.NOTHING


@pytest.mark.rule("A69")
def test_every_row_of_the_table_has_its_effect() -> None:
    rows = list(itertools.product(Severity, Confidence, (True, False), (True, False), Severity))
    assert len(rows) == 320
    for severity, confidence, by_model, quick, fail_on in rows:
        found = effect(severity, confidence, Terms(fail_on, unvalidated=quick), by_model=by_model)
        assert found is expected(severity, confidence, by_model, quick, fail_on), (severity, confidence, by_model, quick, fail_on)


@pytest.mark.rule("A69")
@pytest.mark.parametrize("least", Confidence)
def test_min_confidence_moves_the_line_and_suspected_never_counts(least: Confidence) -> None:
    terms = Terms(Severity.LOW, least)
    counting = {each for each in Confidence if counts(each, terms, by_model=False)}
    assert counting == {each for each in Confidence if each.rank >= least.rank} - {Confidence.SUSPECTED}
    failing = {each for each in Confidence if effect(Severity.LOW, each, terms, by_model=False) is Effect.FAILS}
    assert failing == counting


def claimed(number: int, **changes: object):
    return grave(number, proof=None, **changes)


@pytest.mark.rule("A69")
def test_a_claim_of_an_analyst_fails_nothing_and_is_never_called_clean() -> None:
    report = report_of(play_on(audit(Mode.STANDARD), hunter=hunter(claimed(1), claimed(2, confidence=Ground.PATTERN))))
    assert [row.confidence for row in report.findings] == [Confidence.CLAIMED, Confidence.SUSPECTED]
    assert (report.outcome.exit, report.first_page) == (Exit.CLEAN, ())
    assert wording.verdict(report) == "no confirmed finding, 1 claim to check"


@pytest.mark.rule("A69")
def test_a_proved_finding_fails_the_run_from_its_severity_upwards() -> None:
    report = report_of(play_on(audit(Mode.STANDARD), hunter=hunter(grave(1, poc="x"), medium(2), low(3))))
    assert report.outcome.exit is Exit.FINDINGS
    assert [reason.text for reason in report.outcome.reasons] == ["1 finding at or above high"]
    assert report.first_page == ("H-01", "M-01", "L-01")
    assert wording.verdict(report) == "findings"


@pytest.mark.rule("A69")
def test_a_models_claim_counts_in_quick_and_leaves_a_standard_audit_incomplete() -> None:
    told = claimed(1, rule="")
    assert quick_report(told).outcome.exit is Exit.FINDINGS
    assert AuditRequest("/shop").min_confidence is Confidence.VALIDATED
