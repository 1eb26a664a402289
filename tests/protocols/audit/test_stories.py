"""Four audits from beginning to end, to be read like stories. Each is checked by every marker that it prints."""

from dataclasses import replace

import pytest

from counterproof.model.contract import AgentTask
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.fact import Fact, Operation
from counterproof.model.judgement import Verdict
from counterproof.model.ledger import Ledger, Read, Search
from counterproof.model.location import at
from counterproof.model.proof import Link, Part, Proof, Shape
from counterproof.model.receipt import Exit
from counterproof.model.recon import EntryKind, RootFacts
from counterproof.model.severity import Severity
from counterproof.protocols.audit.commands import AskPlan
from counterproof.protocols.audit.events import Ack, AgentFailed, AgentFinished, PlanAnswered, ReconReported
from counterproof.protocols.audit.markers import text
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import Stage
from counterproof.protocols.audit.validation import MAIN_THREAD
from protocols.audit.cast import (
    covering,
    diver,
    empty_handed,
    failing,
    grave,
    hits,
    hunter,
    judged,
    low,
    medium,
    next_round,
    play_on,
    report_of,
    roomy,
    scan,
    validator,
    waiting,
)
from protocols.audit.play import NOW, Play, a_file, a_recon, a_short_recon, a_survey, an_entry, earned, finished


def fact(part: Part, line: int, operation: Operation, symbol: str) -> Link:
    return Link(part, Fact(at("app.py", line), operation, symbol))


def printed(play: Play) -> list[str]:
    """Every marker as the terminal shows it, plan and recon by their first line."""
    return [text(marker).split("\n")[0] for marker in play.state.markers]


@pytest.mark.rule("A2", "A30", "A31", "A34", "A36", "A42")
def test_a_standard_audit_that_converges_in_one_round() -> None:
    # A small shop. The user asks for a standard audit and is shown a plan before anything runs.
    play = Play(AuditRequest("/shop", mode=Mode.STANDARD)).until_planned(roomy("auth.py", "mail.py", "jobs.py"))
    assert [type(command) for command in play.commands] == [AskPlan]
    assert not play.state.tasks

    # The user agrees. Semgrep goes first; its two hits become leads.
    play.feed(PlanAnswered("plan", Ack.CONFIRMED))
    assert play.stage is Stage.BASELINE
    play.scanned(scan(*hits(2)))

    # Three hunters share the ten dimensions. One finds an injection, another a weak hash that the injection opens up.
    read = Proof(Shape.FLOW, (fact(Part.ENTRY, 29, Operation.READ, "args"), fact(Part.SINK, 30, Operation.LITERAL, "users")))
    kept = Proof(
        Shape.STORED_VALUE, (fact(Part.VALUE, 39, Operation.CALL, "md5"), fact(Part.USE, 40, Operation.LITERAL, "users"))
    )
    injection = grave(1, poc="curl 'shop/?q=…'", proof=replace(read, checked=True))
    no_poc = "needs the database first"
    weak_hash = grave(2, Dimension.D7, cwe=916, flow=None, no_poc_reason=no_poc, proof=replace(kept, checked=True))
    verbose = low(3, dimension=Dimension.D8)
    assert len(waiting(play)) == 3
    next_round(play, hunter=hunter(injection, weak_hash, verbose))

    # Everything that can be covered is covered, so one round is enough. A diver reads what nobody had read.
    assert [each.decision.reason for each in play.state.rounds] == ["converged"]
    assert waiting(play)[0].files == ("auth.py", "mail.py", "jobs.py")
    play_on(play, Stage.VALIDATION)

    # One validator looks at the two grave findings, the main thread at the two hits.
    assert {task.agent_id: len(task.findings) + len(task.hits) for task in waiting(play)} == {"validator-01": 2, MAIN_THREAD: 2}
    play_on(play).written()

    assert printed(play) == [
        "[MODE] standard",
        "[LOADED] rules",
        "[RECON]",
        "[PLAN]",
        "[PLAN_ACK] confirmed",
        "[PHASE] phase:1 status:completed next:2 evidence:phase0=all_passed,handlers=1",
        "[PHASE] phase:2 status:completed next:2.5 evidence:agents=3,findings=3,coverage=9/9",
        "[PHASE] phase:2.5 status:completed next:3 evidence:merged_findings=3,dedup_removed=0,pre_validated=0,needs_validation=3",
        "[PHASE] phase:3 status:completed next:4 evidence:deep_files=3,new_findings=0",
        (
            "[PHASE] phase:4 status:completed next:5 "
            "evidence:confirmed=2,rejected=0,needs_manual=1,validation_agents=1,pre_validated=0"
        ),
        "[PHASE] phase:5 status:completed next:report evidence:formats=markdown",
    ]

    # The report: both grave findings at their own severity, the chain that they form, and nothing left unsaid.
    report = report_of(play)
    assert [(row.number, row.finding.title) for row in report.findings] == [
        ("H-01", "Problem 1"),
        ("H-02", "Problem 2"),
        ("L-01", "Problem 3"),
    ]
    assert [(line.numbers, line.severity) for line in report.chains] == [(("H-01", "H-02"), Severity.CRITICAL)]
    assert (report.banners, report.outcome.exit) == ((), Exit.FINDINGS)


@pytest.mark.rule("A2", "A25", "A26", "A30", "A33", "A37", "A43", "A44", "A49")
def test_a_deep_audit_that_needs_the_emergency_round() -> None:
    # Deep, confirmed in advance. The scan runs beside the agents and finds nothing.
    play = Play(AuditRequest("/shop", mode=Mode.DEEP, yes=True)).until_planned()
    assert len(play.commands) == 4
    play.scanned(scan())

    # Round 1. Nobody looks at authorization. The third hunter breaks, is asked again, and is cut off the second time.
    blind = covering(*(each for each in ALL_DIMENSIONS if each is not Dimension.D3))
    first, second, third = waiting(play)
    play.feed(blind(first)).feed(blind(second)).feed(AgentFailed(third.id, NOW, "connection reset"))
    play.feed(replace(finished(waiting(play)[0], ended=False)))

    # Round 2 is after what is missing: the core dimension and what was cut off. It covers the latter only.
    assert play.state.round == 2
    assert {each for task in waiting(play) for each in task.dimensions} == {Dimension.D3, *third.dimensions} - {Dimension.D10}
    next_round(play, hunter=blind)

    # Round 3 sends one hunter and the one who cross-checks chains. In vain: D3 stays dark.
    assert [task.dimensions for task in waiting(play)] == [(Dimension.D3,), ALL_DIMENSIONS]
    next_round(play, hunter=empty_handed, chain_checker=blind)

    # The emergency round: one agent, that one dimension, fifteen turns. It finds a missing check.
    (task,) = waiting(play)
    assert (task.dimensions, task.limits.turns) == ((Dimension.D3,), 15)
    play_on(play, Stage.VALIDATION, hunter=hunter(grave(1, Dimension.D3, cwe=862, poc="curl")))

    # The validator fails; the main thread takes over and confirms.
    play_on(play, validator=lambda task: validator(task) if task.agent_id == MAIN_THREAD else failing(task)).written()

    assert printed(play)[4:] == [
        "[PLAN_ACK] auto_confirmed",
        "[PHASE] phase:1 status:completed next:2 evidence:phase0=all_passed,handlers=1",
        "[PHASE] phase:2 status:partial next:2.5 evidence:agents=3,findings=0,coverage=6/9",
        "[PHASE] phase:2.5 status:completed next:2 evidence:merged_findings=0,dedup_removed=0,pre_validated=0,needs_validation=0",
        "[HALT] trigger:coverage or depth too low recovery:next round: coverage 6 of 9, 9 needed; D3 uncovered",
        "[PHASE] phase:2 status:completed next:2.5 evidence:agents=1,findings=0,coverage=8/9",
        "[PHASE] phase:2.5 status:completed next:2 evidence:merged_findings=0,dedup_removed=0,pre_validated=0,needs_validation=0",
        "[HALT] trigger:coverage or depth too low recovery:next round: coverage 8 of 9, 9 needed; D3 uncovered",
        "[PHASE] phase:2 status:completed next:2.5 evidence:agents=2,findings=0,coverage=8/9",
        "[PHASE] phase:2.5 status:completed next:2 evidence:merged_findings=0,dedup_removed=0,pre_validated=0,needs_validation=0",
        "[HALT] trigger:D1-D3 uncovered recovery:emergency round: D3 uncovered at the round limit",
        "[PHASE] phase:2 status:completed next:2.5 evidence:agents=1,findings=1,coverage=9/9",
        "[PHASE] phase:2.5 status:completed next:3 evidence:merged_findings=1,dedup_removed=0,pre_validated=0,needs_validation=1",
        "[PHASE] phase:3 status:completed next:4 evidence:deep_files=0,new_findings=0",
        "[HALT] trigger:agent failure recovery:validator-01 failed; the main thread validates",
        (
            "[PHASE] phase:4 status:completed next:5 "
            "evidence:confirmed=1,rejected=0,needs_manual=0,validation_agents=1,pre_validated=0"
        ),
        "[PHASE] phase:5 status:completed next:report evidence:formats=markdown",
    ]

    # No waiver was needed; what stays is that one agent was cut off, and the exit code says that something was found.
    report = report_of(play)
    assert report.waivers == ()
    assert report.banners == ("Agent agent-r1-03 was cut off before it had finished.",)
    assert [row.severity for row in report.findings] == [Severity.HIGH]
    assert {reason.code for reason in report.outcome.reasons} == {Exit.FINDINGS, Exit.INCOMPLETE}


@pytest.mark.rule("A2", "A8", "A26", "A27", "A30", "A31", "A34", "A38", "A49", "A51")
def test_an_audit_in_which_everything_fails() -> None:
    # Recon misses the content types three times; it is accepted as partial, because entry points are there.
    play = Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_loaded(roomy("a.py", "b.py"))
    for number in (1, 2, 3):
        play.feed(ReconReported(f"recon/{number}", a_short_recon(number, content_types=())))

    # Semgrep is not installed. All three hunters break twice, the reduced restart once; one of its two gets something in.
    play.scanned()
    for _ in range(2):
        for task in waiting(play):
            play.feed(failing(task))
    one, other = waiting(play)
    assert "recovery" in one.id
    odd = (grave(1), medium(2), low(3))
    play.feed(hunter(*odd)(one)).feed(failing(other))

    # Round 2 goes after the rest, and fails; so does the emergency round; the gate is waived.
    play_on(play, Stage.DEEP_DIVE, hunter=failing)

    # The diver reads nothing. The validator confirms without looking, and so does the main thread.
    def blind(task: AgentTask):
        event = validator(task)
        words = tuple(judged(each, Verdict.CONFIRMED, "imagined.py") for each in task.findings)
        return replace(event, reply=replace(event.reply, judgements=words))

    play_on(play, deep_diver=lambda task: replace(diver(task, flows=()), ledger=Ledger()), validator=blind).written()
    merged = "evidence:merged_findings=3,dedup_removed=0,pre_validated=0,needs_validation=3"

    assert printed(play)[2:] == [
        "[HALT] trigger:phase 0 incomplete recovery:attempt 2 targets content_types: way 2",
        "[HALT] trigger:phase 0 incomplete recovery:attempt 3 targets content_types: way 3",
        "[HALT] trigger:phase 0 incomplete recovery:no further attempt: all 3 attempts are used",
        "[RECON]",
        "[PLAN]",
        "[PLAN_ACK] auto_confirmed",
        "[PHASE] phase:1 status:completed next:2 evidence:phase0=partial_accepted,handlers=1",
        "[HALT] trigger:all agents failed recovery:2 reduced agents restart",
        "[HALT] trigger:agent failure recovery:agent-r1-01 counts as timed out; D1+D4+D5+D6 at most ⚠️",
        "[HALT] trigger:agent failure recovery:agent-r1-02 counts as timed out; D2+D3+D9 at most ⚠️",
        "[HALT] trigger:agent failure recovery:agent-r1-03 counts as timed out; D7+D8+D10 at most ⚠️",
        "[HALT] trigger:agent failure recovery:agent-r1-recovery-02 counts as timed out; D2+D7+D8+D9+D10 at most ⚠️",
        "[PHASE] phase:2 status:partial next:2.5 evidence:agents=5,findings=3,coverage=5/10",
        f"[PHASE] phase:2.5 status:completed next:2 {merged}",
        "[HALT] trigger:coverage or depth too low recovery:next round: coverage 5 of 10, 8 needed; D2 uncovered",
        "[HALT] trigger:agent failure recovery:agent-r2-01 counts as timed out; D2+D9 at most ⚠️",
        "[HALT] trigger:agent failure recovery:agent-r2-02 counts as timed out; D7+D8 at most ⚠️",
        "[HALT] trigger:agent failure recovery:agent-r2-03 counts as timed out; D10 at most ⚠️",
        "[PHASE] phase:2 status:partial next:2.5 evidence:agents=3,findings=3,coverage=5/10",
        f"[PHASE] phase:2.5 status:completed next:2 {merged}",
        "[HALT] trigger:D1-D3 uncovered recovery:emergency round: D2 uncovered at the round limit",
        "[HALT] trigger:agent failure recovery:agent-r3-01 counts as timed out; D2 at most ⚠️",
        "[PHASE] phase:2 status:partial next:2.5 evidence:agents=1,findings=3,coverage=5/10",
        f"[PHASE] phase:2.5 status:completed next:3 {merged}",
        "[PHASE] phase:3 status:partial next:4 evidence:deep_files=0,new_findings=0",
        "[HALT] trigger:phase 3 partial recovery:recorded as a gap; the report is marked incomplete",
        (
            "[PHASE] phase:4 status:partial next:5 "
            "evidence:confirmed=0,rejected=0,needs_manual=1,validation_agents=1,pre_validated=0"
        ),
        "[HALT] trigger:phase 4 partial recovery:recorded as a gap; the report is marked incomplete",
        "[PHASE] phase:5 status:completed next:report evidence:formats=markdown",
    ]

    # Still there is a report, and it says what nobody confirmed.
    report = report_of(play)
    assert [row.severity for row in report.findings] == [Severity.HIGH, Severity.MEDIUM, Severity.LOW]
    assert Exit.INCOMPLETE in {reason.code for reason in report.outcome.reasons}
    assert "Semgrep baseline scan skipped: not installed." in report.limitations
    for banner in (
        "Required coverage not met: too few dimensions covered; D2 uncovered. The audit continued anyway.",
        "Incomplete reconnaissance: content_types remained partial after 3 attempts.",
        "The deep dive did not finish: 0 new files were read, 2 are needed.",
        "Validation did not finish: 2 findings not validated.",
        "Agent agent-r1-01 failed: it broke.",
    ):
        assert banner in report.banners
    assert "imagined.py" not in str(report.findings)


@pytest.mark.rule("A2", "A27", "A30", "A48", "A51")
def test_an_audit_in_which_nobody_ever_hands_anything_in() -> None:
    # Deep. Every hunter breaks twice, the reduced restart breaks too: the one case in which phase 2 leads to the report.
    play = play_on(Play(AuditRequest("/shop", mode=Mode.DEEP, yes=True)).until_hunting(), hunter=failing).written()
    assert printed(play)[5:] == [
        "[PHASE] phase:1 status:completed next:2 evidence:phase0=all_passed,handlers=1",
        "[HALT] trigger:all agents failed recovery:2 reduced agents restart",
        "[HALT] trigger:agent failure recovery:agent-r1-01 counts as timed out; D1+D4+D5+D6 at most ⚠️",
        "[HALT] trigger:agent failure recovery:agent-r1-02 counts as timed out; D2+D3+D9 at most ⚠️",
        "[HALT] trigger:agent failure recovery:agent-r1-03 counts as timed out; D7+D8+D10 at most ⚠️",
        "[HALT] trigger:agent failure recovery:agent-r1-recovery-01 counts as timed out; D1+D3+D4+D5+D6 at most ⚠️",
        "[HALT] trigger:agent failure recovery:agent-r1-recovery-02 counts as timed out; D2+D7+D8+D9+D10 at most ⚠️",
        "[PHASE] phase:2 status:partial next:report evidence:agents=5,findings=0,coverage=0/10",
        "[PHASE] phase:5 status:completed next:report evidence:formats=markdown",
    ]
    report = report_of(play)
    assert report.banners[0].startswith("Audit incomplete: every agent failed")
    assert {row.status.value for row in report.coverage} == {"❌"}
    assert report.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("A2", "A10", "A15", "A19", "A20", "A42", "A44")
def test_an_audit_of_a_monorepo_with_a_service_a_library_and_a_small_tool() -> None:
    # Three manifests. Round 1 follows the service to the end and only searches the library; the tool is too small to decide.
    survey = a_survey(a_file("api/app.py", 3000), a_file("kit/kit.py", 1500), a_file("tool/run.py", 100))
    recon = a_recon(
        roots=("api", "kit", "tool"),
        by_root=(RootFacts("api", 2, False), RootFacts("kit", 9, True), RootFacts("tool", 0, False)),
        entry_points=(an_entry("api/app.py"), an_entry("kit/kit.py", kind=EntryKind.PUBLIC_API)),
        p0_files=("api/app.py",),
    )
    everywhere = ("api/app.py", "kit/kit.py", "tool/run.py")

    def part(task: AgentTask) -> AgentFinished:
        seen = tuple(Search(each, "a", "one", 3, everywhere) for each in task.dimensions)
        ledger = Ledger((Read(everywhere, task.dimensions),), seen) + earned(task.dimensions, "api/app.py")
        if task.round > 1:
            ledger += earned(task.dimensions, "kit/kit.py")
        return finished(task, ledger=replace(ledger, entries=tuple(entry.handler for entry in recon.entry_points)))

    play = Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_hunting(survey, recon)
    play = play_on(play, hunter=part, deep_diver=lambda task: diver(task, flows=())).written()
    merged = "merged_findings=0,dedup_removed=0,pre_validated=0,needs_validation=0"
    validated = "confirmed=0,rejected=0,needs_manual=0,validation_agents=0,pre_validated=0"
    assert printed(play)[2:] == [
        "[RECON]",
        "[PLAN]",
        "[PLAN_ACK] auto_confirmed",
        "[PHASE] phase:1 status:completed next:2 evidence:phase0=all_passed,handlers=1",
        "[PHASE] phase:2 status:completed next:2.5 evidence:agents=3,findings=0,coverage=2/9",
        f"[PHASE] phase:2.5 status:completed next:2 evidence:{merged}",
        "[HALT] trigger:coverage or depth too low recovery:next round: coverage 2 of 9, 8 needed",
        "[PHASE] phase:2 status:completed next:2.5 evidence:agents=3,findings=0,coverage=9/9",
        f"[PHASE] phase:2.5 status:completed next:3 evidence:{merged}",
        "[PHASE] phase:3 status:completed next:4 evidence:deep_files=0,new_findings=0",
        f"[PHASE] phase:4 status:completed next:5 evidence:{validated}",
        "[PHASE] phase:5 status:completed next:report evidence:formats=markdown",
    ]

    # The library has no D2 and D3 of its own, the service has; what the tool lacks is shown and decides nothing.
    report = report_of(play)
    api, kit, tool = report.roots
    assert [(each.library, each.decides) for each in (api, kit, tool)] == [(False, True), (True, True), (False, False)]
    assert [row.dimension.value for row in kit.coverage if row.status.value == "N/A"] == ["D2", "D3"]
    assert {row.status.value for row in tool.coverage} == {"⚠️"}
    assert (report.covered, report.counted, report.outcome.exit) == (9, 9, Exit.CLEAN)
    assert any("tool (100 lines)" in line for line in report.limitations)
