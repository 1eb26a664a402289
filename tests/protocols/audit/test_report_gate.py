"""The gate before the report, row by row, and totals that add up (A48, A50)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.agents import AgentStatus
from counterproof.model.contract import AgentTask
from counterproof.model.coverage import Status
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.errors import EngineBug
from counterproof.model.judgement import HitVerdict, Judgement, Verdict
from counterproof.model.receipt import Exit
from counterproof.protocols.audit import gates, phase_five, phase_four
from counterproof.protocols.audit.events import ReconReported
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.resolution import UNVALIDATED
from counterproof.protocols.audit.state import AuditState
from effort import examples
from protocols.audit.cast import (
    FITTING,
    PASSED,
    audit,
    covering,
    diver,
    failing,
    grave,
    hits,
    hunter,
    low,
    medium,
    play_on,
    report_of,
    rows,
    scan,
    validator,
    verifier,
)
from protocols.audit.play import Play, a_recon
from protocols.audit.test_chains import forged, secret


def finished_state(mode: Mode = Mode.STANDARD) -> AuditState:
    """The state as it was when the report was asked for."""
    return play_on(audit(mode), hunter=hunter(grave(1, poc="x"))).state


def running(state: AuditState) -> AuditState:
    first, *others = state.registry
    return replace(state, registry=(replace(first, status=AgentStatus.RUNNING), *others))


BROKEN = [
    (1, "gates passed", lambda state: replace(state, ack=None)),
    (1, "gates passed", lambda state: replace(state, documents=())),
    (2, "coverage met", lambda state: replace(state, coverage=rows(D4="❌", D5="❌", D6="❌"))),
    (3, "no agent running", running),
    (4, "phases 3 and 4 marked", lambda state: replace(state, marked=("1", "2", "2.5", "4"))),
    (4, "phases 3 and 4 marked", lambda state: replace(state, marked=("1", "2", "2.5", "3"))),
    (5, "deduplicated after 4a and 4c", lambda state: replace(state, archive=None)),
    (5, "deduplicated after 4a and 4c", lambda state: replace(state, resolved=None)),
    (6, "D1-D3 searched", lambda state: replace(state, coverage=rows(D3="❌"))),
    (6, "D1-D3 searched", lambda state: replace(state, coverage=rows(D1="⚠️"), notes=())),
]


@pytest.mark.rule("A48")
@pytest.mark.parametrize("mode", [Mode.STANDARD, Mode.DEEP])
def test_a_whole_audit_passes_every_check(mode: Mode) -> None:
    checks = gates.can_report(finished_state(mode))
    assert len(checks) == 7
    assert all(check.passed for check in checks)


@pytest.mark.rule("A48")
@pytest.mark.parametrize(("number", "name", "broken"), BROKEN)
def test_each_row_of_the_checklist_closes_the_gate(number: int, name: str, broken) -> None:
    state = broken(finished_state())
    check = gates.can_report(state)[number - 1]
    assert (check.name, check.passed) == (name, False)
    with pytest.raises(EngineBug, match="report gate is closed"):
        phase_five.write_report(state)


@pytest.mark.rule("A48")
@pytest.mark.parametrize("change", [{"coverage": rows(D4="❌", D5="❌", D6="❌")}, {"coverage": rows(D3="❌")}])
def test_coverage_and_core_may_be_waived_on_record_only(change: dict[str, object]) -> None:
    state = replace(finished_state(), **change, waivers=("not met: said so",))
    after, (command,) = phase_five.write_report(state)
    assert after.outcome is not None
    assert after.outcome.exit is Exit.FINDINGS
    assert Exit.INCOMPLETE in {reason.code for reason in after.outcome.reasons}
    assert "Required coverage not met: said so. The audit continued anyway." in command.report.banners  # type: ignore[union-attr]


@pytest.mark.rule("A48")
def test_a_shallow_core_passes_once_it_is_explained() -> None:
    state = replace(finished_state(), coverage=rows(D1="⚠️"), explained=(Dimension.D1,))
    assert all(check.passed for check in gates.can_report(state))


@pytest.mark.rule("A48")
def test_quick_checks_the_first_three_rows() -> None:
    state = play_on(audit(Mode.QUICK)).state
    assert [check.name for check in gates.can_report(state)] == ["gates passed", "coverage met", "no agent running"]


@pytest.mark.rule("A48", "A27")
def test_an_audit_in_which_all_agents_failed_reports_the_results_so_far() -> None:
    play = play_on(audit(Mode.DEEP), hunter=failing)
    assert len(gates.can_report(play.state)) == 3
    report = report_of(play)
    assert report.outcome.exit is Exit.INCOMPLETE
    assert report.validation is None


@pytest.mark.rule("A48", "A50")
def test_the_report_shows_the_gate_and_what_was_waived() -> None:
    report = report_of(play_on(audit(Mode.STANDARD), hunter=covering(*ALL_DIMENSIONS[1:])))
    closed = [line.name for line in report.gates if not line.passed]
    assert closed == ["D1-D3 searched"]
    assert report.waivers == ("not met: D1 uncovered",)


# A50: sections and totals


@pytest.mark.rule("A50")
@pytest.mark.parametrize(
    ("mode", "sections"),
    [
        (Mode.QUICK, set()),
        (Mode.STANDARD, {"rounds", "control", "baseline", "validation", "chains"}),
        (Mode.DEEP, {"rounds", "control", "baseline", "validation", "chains", "paths"}),
    ],
)
def test_each_mode_has_its_evidence_sections(mode: Mode, sections: set[str]) -> None:
    findings = (grave(1, poc="x"), secret(), forged())
    play = Play(AuditRequest("/shop", mode=mode, yes=True)).until_planned()
    if mode is not Mode.QUICK:
        play.scanned(scan(*hits(1)))
    report = report_of(play_on(play, hunter=hunter(*findings)))
    assert {
        name for name in ("rounds", "control", "baseline", "validation", "chains", "paths") if getattr(report, name)
    } == sections
    assert report.gates


@pytest.mark.rule("A50")
def test_attack_paths_are_scored_from_their_entry_point() -> None:
    report = report_of(play_on(audit(Mode.DEEP), hunter=hunter(grave(1, poc="x"))))
    (path,) = report.paths
    assert (path.entry, path.number, path.steps, path.points) == ("GET /", "H-01", 2, 4)


BANNERS = [
    ({"deep_diver": failing}, "The deep dive did not finish"),
    ({"validator": failing}, "Validation did not finish"),
    ({"hunter": failing}, "Audit incomplete"),
    ({"hunter": covering(*ALL_DIMENSIONS[1:])}, "Required coverage not met"),
]


@pytest.mark.rule("A50")
@pytest.mark.parametrize(("parts", "banner"), BANNERS)
def test_each_shortfall_has_its_banner_and_exit_code(parts, banner: str) -> None:
    play = play_on(audit(Mode.STANDARD), **{"hunter": hunter(grave(1)), **parts})
    report = report_of(play)
    assert any(line.startswith(banner) for line in report.banners)
    assert Exit.INCOMPLETE in {reason.code for reason in report.outcome.reasons}


@pytest.mark.rule("A50", "A8")
def test_incomplete_reconnaissance_has_its_banner() -> None:
    play = Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_loaded()
    play.feed(ReconReported("recon/1", a_recon(content_types=())))
    play.scanned()
    report = report_of(play_on(play))
    assert "Incomplete reconnaissance: content_types remained partial after 1 attempt." in report.banners


MAKERS = (grave, medium, low)
SPECS = st.lists(
    st.tuples(
        st.integers(0, 9),
        st.sampled_from(MAKERS),
        st.sampled_from([Dimension.D1, Dimension.D3, Dimension.D7]),
        st.booleans(),
        st.booleans(),
        st.sampled_from([*Verdict, None]),
    ),
    max_size=14,
)


@pytest.mark.rule("A50", "A36", "A39")
@settings(max_examples=examples(60), deadline=None)
@given(SPECS, st.integers(0, 40), st.sampled_from(list(HitVerdict)), st.booleans())
def test_every_total_adds_up(specs, hit_count: int, hit_verdict: HitVerdict, deep: bool) -> None:
    """Whatever is found, by whom, and whatever becomes of it."""
    found = tuple(
        make(number, dimension=dimension, poc="x" if proven else "", **({"validation": PASSED} if passed else {}))
        for number, make, dimension, passed, proven, _ in specs
    )
    fate = {number: verdict for number, *_, verdict in specs}

    def moody(task: AgentTask):
        event = validator(task)
        words = tuple(
            Judgement(each.id, verdict, FITTING[verdict], each.location)
            for each in task.findings
            if (verdict := fate.get(int(each.title.split()[-1]) if each.title.startswith("Problem") else -1))
        )
        return replace(event, reply=replace(event.reply, judgements=words))

    play = Play(AuditRequest("/shop", mode=Mode.DEEP if deep else Mode.STANDARD, yes=True)).until_planned()
    play.scanned(scan(*hits(hit_count)))
    play_on(
        play,
        hunter=hunter(*found),
        validator=moody,
        deep_diver=lambda task: diver(task, *found[:2]),
        hit_verifier=lambda task: verifier(task, hit_verdict),
    )
    report = report_of(play)
    routes, sources, state = report.validation, report.sources, play.state
    assert routes is not None
    assert report.baseline is not None
    for each in sources:
        assert each.raw == each.kept + each.refused + each.repeats
    assert sum(each.kept for each in sources) == len(report.findings) + len(report.rejected) + routes.duplicates
    assert routes.full + routes.spot_checked + routes.batch + routes.accepted == len(state.merged)
    labelled = len(state.merged) - routes.confirmed - routes.downgraded - routes.rejected - routes.unvalidated
    assert 0 <= labelled <= routes.accepted
    hit_totals = (report.baseline.confirmed, report.baseline.rejected, report.baseline.needs_manual)
    assert sum(hit_totals) == report.baseline.total == hit_count
    assert next((each.raw for each in sources if each.source == "semgrep"), 0) == report.baseline.confirmed
    numbers = [row.number for row in report.findings]
    assert len(set(numbers)) == len(numbers)
    assert len({row.fingerprint for row in report.findings}) == len(numbers)
    assert routes.unvalidated == sum(label == UNVALIDATED for label in all_labels(state))
    assert all(row.status is not Status.UNCOVERED for row in report.coverage)


def all_labels(state: AuditState) -> list[str]:
    """The label of every merged finding before duplicates were dropped."""
    judged = phase_four.rulings(state)
    passed = phase_four._let_pass(state)
    return [passed.get(each.id, UNVALIDATED) for each in state.merged if judged[each.id].judgement is None]
