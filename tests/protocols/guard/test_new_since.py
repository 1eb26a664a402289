"""Which findings count as new in a comparison with a revision."""

from dataclasses import replace

import pytest

from counterproof.model.finding import Corroboration
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.known import KnownFinding
from counterproof.model.location import at
from counterproof.model.report import ReportedFinding
from counterproof.model.root_cause import fingerprint
from counterproof.model.severity import Severity
from counterproof.model.since import Since, Touched, way_of
from counterproof.protocols.guard.acceptance import NEW, PERSISTING, WORSE, compared
from reports.sample_report import sample


def row(steps: tuple[tuple[str, int, str], ...] = (), guards: tuple[str, ...] = ()) -> ReportedFinding:
    first = sample().findings[0]
    kinds = (StepKind.SOURCE, *(StepKind.ASSIGN for _ in steps[2:]), StepKind.SINK)
    flow = Flow(tuple(FlowStep(at(path, line), kind, code) for (path, line, code), kind in zip(steps, kinds, strict=False)))
    finding = replace(first.finding, location=at("sink.py", 90), also=(), flow=flow if steps else None, guards=guards)
    return replace(first, fingerprint="f", severity=Severity.MEDIUM, finding=finding)


OLD = row((("view.py", 10, "x = request.args['x']"), ("sink.py", 90, "run(x)")), ("passed strip at view.py:11",))


def since(*touched: Touched, before: ReportedFinding = OLD) -> Since:
    return Since("main", "0" * 40, touched, (way_of(before),))


def rated(row: ReportedFinding, points: int) -> ReportedFinding:
    return replace(row, calibration=replace(row.calibration, total=points))


def fate(now: ReportedFinding, against: Since, known: bool = True) -> str:
    before = (KnownFinding("f", "title", "sink.py:90", Severity.MEDIUM),) if known else ()
    return compared((now,), before, (), "", against).findings[0].history


def test_a_finding_that_the_change_left_alone_is_old_wherever_its_lines_went() -> None:
    moved = row((("view.py", 30, "x  =  request.args['x']"), ("sink.py", 95, "run(x)")), ("passed strip at view.py:31",))
    assert fate(moved, since(Touched("view.py", ((30, 31),)))) == PERSISTING
    assert fate(OLD, since()) == PERSISTING


def test_another_way_through_changed_code_makes_an_old_finding_new() -> None:
    other = row((("api.py", 5, "x = request.json['x']"), ("sink.py", 90, "run(x)")), ("passed strip at view.py:11",))
    assert fate(other, since(Touched("api.py", ((4, 6),)))) == NEW
    assert fate(other, since(Touched("elsewhere.py", ((1, 99),)))) == PERSISTING
    before = (KnownFinding("f", "title", "sink.py:90", Severity.MEDIUM),)
    assert WORSE in compared((other,), before, (), "", since(Touched("api.py", ((5, 5),)))).findings[0].labels


def test_more_points_of_severity_make_an_old_finding_new() -> None:
    assert fate(rated(OLD, 9), since(before=rated(OLD, 8))) == NEW
    assert fate(rated(OLD, 7), since(before=rated(OLD, 8))) == PERSISTING


def test_a_guard_that_stops_nothing_does_not_matter() -> None:
    assert fate(replace(OLD, finding=replace(OLD.finding, guards=())), since()) == PERSISTING


def test_a_finding_that_a_worse_one_of_its_kind_raised_is_still_old() -> None:
    raised = replace(OLD, severity=Severity.CRITICAL)
    assert fate(raised, since()) == PERSISTING


def test_a_finding_in_a_file_that_only_moved_is_old_and_not_fixed() -> None:
    then = replace(OLD, fingerprint=fingerprint(OLD.finding, 1))
    steps = (("web/view.py", 10, "x = request.args['x']"), ("lib/sink.py", 90, "run(x)"))
    now = row(steps, ("passed strip at web/view.py:11",))
    now = replace(now, finding=replace(now.finding, location=at("lib/sink.py", 90)))
    now = replace(now, fingerprint=fingerprint(now.finding, 1))
    moved = (("lib/sink.py", "sink.py"), ("web/view.py", "view.py"))
    known = (KnownFinding(then.fingerprint, "title", "sink.py:90", Severity.MEDIUM),)
    told = compared((now,), known, (), "", Since("main", "0" * 40, (), (way_of(then),), (), moved))
    assert (told.findings[0].history, told.findings[0].fingerprint, told.fixed) == (PERSISTING, now.fingerprint, ())
    untold = compared((now,), known, (), "", Since("main", "0" * 40, (), (way_of(then),)))
    assert (untold.findings[0].history, len(untold.fixed)) == (NEW, 1)


def test_findings_absent_from_the_revision_are_new_even_on_unchanged_lines() -> None:
    assert fate(OLD, since(), known=False) == NEW


@pytest.mark.parametrize("said", [Corroboration.AGENT_ALONE, Corroboration.CONTRADICTED])
def test_a_models_own_finding_is_new_on_changed_code_and_carried_over_elsewhere(said: Corroboration) -> None:
    seen = replace(OLD, finding=replace(OLD.finding, corroboration=said))
    assert fate(seen, since(Touched("sink.py", ((80, 90),))), known=False) == NEW
    assert fate(seen, since(Touched("sink.py", ((91, 99),))), known=False) == PERSISTING


def test_without_a_revision_an_earlier_report_decides_by_fingerprint_alone() -> None:
    before = (KnownFinding("f", "title", "sink.py:90", Severity.LOW),)
    assert compared((OLD,), before, (), "").findings[0].history == PERSISTING
