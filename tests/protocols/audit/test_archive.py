"""The baseline scan from start to archive: A31 and phase 4a (A35)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.baseline import Baseline, BaselineStatus
from counterproof.model.confidence import Confidence
from counterproof.model.contract import AgentTask, Role
from counterproof.model.dimension import Dimension
from counterproof.model.judgement import HitJudgement, HitVerdict
from counterproof.model.ledger import Ledger
from counterproof.model.location import at
from counterproof.model.receipt import Exit
from counterproof.model.severity import Severity
from counterproof.protocols.audit import archive
from counterproof.protocols.audit.commands import RunAgent, RunBaseline
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.resolution import NEEDS_MANUAL, UNVALIDATED
from counterproof.protocols.audit.state import Stage
from counterproof.protocols.audit.validation import MAIN_THREAD
from effort import examples
from protocols.audit.cast import (
    CAST,
    empty_handed,
    failing,
    from_hit,
    hits,
    next_round,
    play_on,
    reading,
    report_of,
    scan,
    told,
    verifier,
    waiting,
)
from protocols.audit.play import Play

SKIPPED = Baseline(BaselineStatus.SKIPPED, "not installed")


def planned(mode: Mode) -> Play:
    return Play(AuditRequest("/shop", mode=mode, yes=True)).until_planned()


def scanned(baseline: Baseline, mode: Mode = Mode.STANDARD, **parts) -> Play:
    play = planned(mode).scanned(baseline)
    return play_on(play, **parts)


def confirming(task: AgentTask):
    return verifier(task, HitVerdict.CONFIRMED)


def cut_off(task: AgentTask):
    """Hands in half of its words and no end."""
    event = verifier(task)
    said = event.reply.hit_judgements
    return replace(event, reply=replace(event.reply, ended=False, hit_judgements=said[: len(said) // 2]))


# A31


@pytest.mark.rule("A31")
def test_quick_never_scans() -> None:
    play = play_on(planned(Mode.QUICK))
    assert not [command for command in play.issued if isinstance(command, RunBaseline)]
    assert report_of(play).baseline is None


@pytest.mark.rule("A31")
def test_standard_scans_after_the_ack_and_before_its_agents_which_get_the_hits_as_leads() -> None:
    play = Play(AuditRequest("/shop", mode=Mode.STANDARD)).until_planned()
    assert not [command for command in play.issued if isinstance(command, RunBaseline)]
    play = planned(Mode.STANDARD)
    assert (play.stage, [type(command) for command in play.commands]) == (Stage.BASELINE, [RunBaseline])
    play.scanned(scan(*hits(2), *(replace(hit, id=f"X{hit.id}") for hit in hits(1, dimension=None))))
    leads = {task.dimensions: [hit.id for hit in task.hits] for task in play.tasks()}
    for dimensions, ids in leads.items():
        assert ids == (["S001", "S002", "XS001"] if Dimension.D1 in dimensions else ["XS001"])


@pytest.mark.rule("A31")
def test_deep_scans_beside_its_agents_and_joins_before_evaluation() -> None:
    play = planned(Mode.DEEP)
    assert [type(command) for command in play.commands] == [RunAgent] * 3 + [RunBaseline]
    for task in play.tasks():
        play.feed(CAST[Role.HUNTER](task))
    assert play.stage is Stage.HUNT
    assert not play.state.rounds
    play.scanned(scan(*hits(1)))
    assert len(play.state.rounds) == 1
    assert [hit.id for task in waiting(play) for hit in task.hits] == ["S001"]


@pytest.mark.rule("A31")
def test_in_deep_the_scan_may_also_be_first() -> None:
    play = planned(Mode.DEEP)
    agents = play.tasks()
    play.scanned(scan())
    assert play.stage is Stage.HUNT
    for task in agents:
        play.feed(CAST[Role.HUNTER](task))
    assert len(play.state.rounds) == 1


@pytest.mark.rule("A31")
@pytest.mark.parametrize("mode", [Mode.STANDARD, Mode.DEEP])
@pytest.mark.parametrize(
    ("baseline", "sentence"),
    [
        (SKIPPED, "Semgrep baseline scan skipped: not installed."),
        (scan(*hits(1), unparsed=1), "Semgrep partially completed: some files could not be read."),
    ],
)
def test_a_scan_that_is_not_whole_never_blocks_and_is_said(mode: Mode, baseline: Baseline, sentence: str) -> None:
    report = report_of(scanned(baseline, mode))
    assert sentence in report.limitations
    assert report.baseline is not None
    assert report.baseline.status == baseline.status.value
    assert report.outcome.exit is Exit.CLEAN


@pytest.mark.rule("A31")
def test_a_whole_scan_is_no_limitation() -> None:
    assert not any("Semgrep" in line for line in report_of(scanned(scan(*hits(1)))).limitations)


# A35


@pytest.mark.rule("A35")
@pytest.mark.parametrize(
    ("count", "agents"),
    [
        (0, []),
        (1, [MAIN_THREAD]),
        (15, [MAIN_THREAD]),
        (16, ["semgrep-verifier-01"]),
        (30, ["semgrep-verifier-01"]),
    ],
)
def test_who_verifies_by_the_number_of_hits(count: int, agents: list[str]) -> None:
    assert [each.agent_id for each in archive.assignments(scan(*hits(count)))] == agents


@pytest.mark.rule("A35")
def test_more_than_thirty_hits_go_to_two_agents_by_file() -> None:
    many = [replace(hit, id=f"{path}{hit.id}") for path in ("a.py", "b.py", "c.py") for hit in hits(11, path)]
    given = archive.assignments(scan(*many))
    assert [each.agent_id for each in given] == ["semgrep-verifier-01", "semgrep-verifier-02"]
    files = [{hit.path for hit in each.hits} for each in given]
    assert files[0] & files[1] == set()
    assert sum(len(each.hits) for each in given) == 33


@pytest.mark.rule("A35")
def test_hits_of_one_file_stay_together_however_many() -> None:
    (only,) = archive.assignments(scan(*hits(60)))
    assert len(only.hits) == 60


@pytest.mark.rule("A35")
def test_a_partial_scan_is_verified_in_the_main_thread_and_the_rest_needs_a_person() -> None:
    baseline = scan(*hits(40), unparsed=3)
    assert [each.agent_id for each in archive.assignments(baseline)] == [MAIN_THREAD]
    found = report_of(scanned(baseline)).baseline
    assert found is not None
    assert (found.total, found.confirmed, found.rejected, found.needs_manual) == (43, 0, 40, 3)


@pytest.mark.rule("A35")
@pytest.mark.parametrize("baseline", [SKIPPED, None, scan()])
def test_without_hits_nobody_is_asked(baseline: Baseline | None) -> None:
    assert archive.assignments(baseline) == ()


@pytest.mark.rule("A35", "A39")
def test_confirmed_hits_become_findings_of_their_own_source() -> None:
    report = report_of(scanned(scan(*hits(3)), hit_verifier=confirming))
    assert report.baseline is not None
    assert (report.baseline.confirmed, report.baseline.total) == (3, 3)
    assert [row.finding.found_by for row in report.findings] == [("semgrep",)] * 3
    assert next(count for count in report.sources if count.source == "semgrep").kept == 3


@pytest.mark.rule("A35", "A38")
def test_a_confirmed_hit_needs_a_person_only_where_it_is_not_proved() -> None:
    def careless(task: AgentTask):
        event = confirming(task)
        bare = tuple(from_hit(hit, proof=None) for hit in task.hits)
        words = tuple(replace(word, finding=bare[n]) for n, word in enumerate(event.reply.hit_judgements))
        cited = tuple(replace(each, proof=None) for each in event.citations)
        return replace(event, reply=replace(event.reply, findings=bare, hit_judgements=words), citations=cited)

    (row,) = report_of(scanned(scan(*hits(1)), hit_verifier=careless)).findings
    assert (row.severity, row.confidence, row.labels[:2]) == (Severity.HIGH, Confidence.CLAIMED, (UNVALIDATED, NEEDS_MANUAL))


HIT = hits(1)[0]
FOUND = from_hit(HIT)
YES = HitJudgement("S001", HitVerdict.CONFIRMED, "reached", FOUND)
NO = HitJudgement("S001", HitVerdict.REJECTED, "a literal")


@pytest.mark.rule("A35", "A29")
@pytest.mark.parametrize(
    ("words", "kept", "read", "counts"),
    [
        ((YES,), (FOUND,), {"app.py"}, True),
        ((NO,), (), {"app.py"}, True),
        ((), (FOUND,), {"app.py"}, False),
        ((replace(NO, reason="  "),), (), {"app.py"}, False),
        ((NO,), (), {"other.py"}, False),
        ((YES,), (), {"app.py"}, False),
        ((replace(YES, finding=None),), (FOUND,), {"app.py"}, False),
        ((YES, NO), (FOUND,), {"app.py"}, False),
        ((replace(NO, hit_id="S002"),), (), {"app.py"}, False),
    ],
)
def test_a_verdict_on_a_hit_counts_only_with_reason_reading_and_citation(words, kept, read, counts: bool) -> None:
    assert (archive.word_on(HIT, words, kept, frozenset(read)) is not None) is counts


@pytest.mark.rule("A35", "A29")
def test_a_confirmed_hit_cannot_bring_a_finding_from_elsewhere() -> None:
    stray = from_hit(HIT, location=at("elsewhere.py", 1))
    assert archive.word_on(HIT, (replace(YES, finding=stray),), (stray,), frozenset({"app.py", "elsewhere.py"})) is None


@pytest.mark.rule("A35")
def test_a_rejected_hit_brings_no_finding_whatever_it_carries() -> None:
    word = archive.word_on(HIT, (replace(NO, finding=FOUND),), (FOUND,), frozenset({"app.py"}))
    assert word is not None
    assert word.finding is None


@pytest.mark.rule("A35", "A37")
@pytest.mark.parametrize(
    "part", [failing, lambda task: replace(verifier(task), reply=replace(verifier(task).reply, ended=False))]
)
def test_a_verifier_that_fails_or_is_cut_off_is_replaced_by_the_main_thread(part) -> None:
    def flaky(task: AgentTask):
        return part(task) if task.agent_id != MAIN_THREAD else verifier(task)

    play = scanned(scan(*hits(20)), hit_verifier=flaky)
    found = report_of(play).baseline
    assert found is not None
    assert (found.rejected, found.total) == (20, 20)
    assert any("semgrep-verifier-01" in line and "main thread" in line for line in told(play))
    assert report_of(play).outcome.exit is Exit.CLEAN


@pytest.mark.rule("A35", "A49")
def test_hits_that_nobody_answers_need_a_person_and_make_phase_four_partial() -> None:
    report = report_of(scanned(scan(*hits(20)), hit_verifier=failing))
    assert report.baseline is not None
    assert (report.baseline.needs_manual, report.baseline.total) == (20, 20)
    assert report.banners == ("Validation did not finish: 20 baseline hits got no verdict.",)
    assert report.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("A35")
def test_the_archive_yields_rule_and_file_hotspots() -> None:
    found = report_of(scanned(scan(*hits(3), replace(hits(1, "b.py")[0], id="T1", rule="other")))).baseline
    assert found is not None
    assert found.rule_hotspots == (("sql-string", 3), ("other", 1))
    assert found.file_hotspots == (("app.py", 3), ("b.py", 1))


VERDICTS = st.sampled_from([None, *HitVerdict])


@pytest.mark.rule("A35")
@settings(max_examples=examples(60), deadline=None)
@given(st.lists(VERDICTS, max_size=60), st.integers(0, 5), st.booleans())
def test_the_three_verdicts_always_sum_to_the_total(words: list[HitVerdict | None], unparsed: int, reads: bool) -> None:
    found = hits(len(words))

    def moody(task: AgentTask):
        event = confirming(task)
        said = tuple(
            replace(word, verdict=verdict)
            for word in event.reply.hit_judgements
            if (verdict := words[int(word.hit_id[1:]) - 1]) is not None
        )
        reply = replace(event.reply, hit_judgements=said)
        return replace(event, reply=reply, ledger=reading(task) if reads else Ledger())

    evidence = report_of(scanned(scan(*found, unparsed=unparsed), hit_verifier=moody)).baseline
    assert evidence is not None
    assert evidence.confirmed + evidence.rejected + evidence.needs_manual == evidence.total == len(words) + unparsed
    assert evidence.confirmed == (words.count(HitVerdict.CONFIRMED) if reads else 0)


@pytest.mark.rule("A27", "A35")
def test_when_every_agent_failed_all_hits_still_need_a_person() -> None:
    found = report_of(scanned(scan(*hits(5)), hunter=failing)).baseline
    assert found is not None
    assert (found.total, found.needs_manual) == (5, 5)


@pytest.mark.rule("A31", "A27")
def test_the_reduced_restart_gets_the_leads_of_its_dimensions_too() -> None:
    play = planned(Mode.STANDARD).scanned(scan(*hits(1)))
    for _ in range(2):
        for task in waiting(play):
            play.feed(failing(task))
    leads = {task.dimensions: len(task.hits) for task in waiting(play)}
    assert all("recovery" in task.id for task in waiting(play))
    assert sorted(leads.values()) == [0, 1]


@pytest.mark.rule("A31")
def test_later_rounds_get_the_leads_too() -> None:
    play = next_round(planned(Mode.STANDARD).scanned(scan(*hits(1))), hunter=empty_handed)
    assert [len(task.hits) for task in waiting(play) if Dimension.D1 in task.dimensions] == [1]
