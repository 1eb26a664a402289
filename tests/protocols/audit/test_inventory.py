"""Reconnaissance by substance: A6 to A11, A13."""

import pytest

from counterproof.model.dimension import Dimension
from counterproof.model.location import at
from counterproof.model.receipt import Exit
from counterproof.model.recon import Dependency, EntryKind
from counterproof.protocols.audit import inventory, markers
from counterproof.protocols.audit.commands import Reconnoitre
from counterproof.protocols.audit.events import ReconReported
from counterproof.protocols.audit.inventory import Checklist, Inventories, judge
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import Stage
from protocols.audit.play import Play, a_file, a_recon, a_short_recon, a_survey, an_entry

COMPLETE = Inventories(True, True, True, True)


@pytest.mark.rule("A6")
def test_quick_needs_entry_points_and_dependencies_the_others_need_all_four() -> None:
    assert inventory.checklist(COMPLETE) is Checklist.ALL_PASSED
    assert inventory.checklist(Inventories(False, True, False, True)) is Checklist.QUICK_PASSED
    assert inventory.checklist(Inventories(True, False, True, True)) is Checklist.PARTIAL
    assert inventory.checklist(Inventories(True, True, True, False)) is Checklist.PARTIAL
    assert inventory.sufficient(Mode.QUICK, Checklist.QUICK_PASSED)
    for mode in (Mode.STANDARD, Mode.DEEP):
        assert not inventory.sufficient(mode, Checklist.QUICK_PASSED)
        assert inventory.sufficient(mode, Checklist.ALL_PASSED)
        assert inventory.sufficient(mode, Checklist.PARTIAL_ACCEPTED)
    assert not any(inventory.sufficient(mode, Checklist.PARTIAL) for mode in Mode)


@pytest.mark.rule("A7")
@pytest.mark.parametrize(
    "entries", [(), (an_entry("missing.py", 10),), (an_entry("app.py", 100_000),)], ids=["none", "no file", "no line"]
)
def test_entry_points_without_an_existing_handler_line_are_partial(entries: tuple[object, ...]) -> None:
    assert judge(a_recon(entry_points=entries), a_survey()).missing() == ("entry_points",)


@pytest.mark.rule("A7")
def test_dependencies_need_a_version_or_the_fact_that_there_are_none() -> None:
    nameless = (Dependency("flask", "", False, at("requirements.txt", 1)),)
    assert judge(a_recon(dependencies=nameless), a_survey()).missing() == ("dependencies",)
    assert judge(a_recon(dependencies=()), a_survey()).missing() == ()
    assert judge(a_recon(), a_survey()).missing() == ()


@pytest.mark.rule("A8")
def test_each_retry_says_what_failed_what_it_changes_and_what_it_targets() -> None:
    play = Play().until_loaded()
    play.feed(ReconReported("recon/1", a_recon(entry_points=(), wider="by text", wider_for=("modules", "entry_points"))))
    retry = play.commands[0]
    assert isinstance(retry, Reconnoitre)
    first, second = play.state.attempts
    assert first.missing == ("entry_points",)
    assert retry.targets == second.targets == ("entry_points",)
    assert retry.method == second.method == "by text"
    assert markers.text(play.state.markers[-1]) == (
        "[HALT] trigger:phase 0 incomplete recovery:attempt 2 targets entry_points: by text"
    )


@pytest.mark.rule("A8")
def test_three_attempts_at_most_then_missing_entry_points_end_the_run_incomplete() -> None:
    play = Play().until_loaded()
    for number in (1, 2, 3):
        play.feed(ReconReported(f"recon/{number}", a_short_recon(number, entry_points=())))
    assert play.stage is Stage.ENDED
    assert play.state.outcome is not None
    assert play.state.outcome.exit is Exit.INCOMPLETE
    assert "no entry point" in play.state.outcome.reasons[0].text
    assert len(play.state.attempts) == 3
    assert len({attempt.method for attempt in play.state.attempts}) == 3


@pytest.mark.rule("A8")
def test_other_gaps_are_accepted_after_the_attempts_and_the_report_says_so() -> None:
    play = Play().until_loaded()
    nameless = (Dependency("flask", "", False, at("requirements.txt", 1)),)
    for number in (1, 2, 3):
        play.feed(ReconReported(f"recon/{number}", a_short_recon(number, dependencies=nameless)))
    assert play.state.checklist is Checklist.PARTIAL_ACCEPTED
    play.hand_in_all()
    report = play.commands[0].report  # type: ignore[union-attr]
    assert any(banner.startswith("Incomplete reconnaissance") for banner in report.banners)
    assert report.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("A8")
@pytest.mark.parametrize(
    ("wider", "after", "why"),
    [
        ("", (), "another attempt would not change the result"),
        ("  ", ("entry_points",), "another attempt would not change the result"),
        (inventory.FIRST_METHOD, ("entry_points",), "another attempt would repeat an earlier one"),
        (inventory.FIRST_METHOD.upper() + " ", ("entry_points",), "another attempt would repeat an earlier one"),
        ("by text", (), "another attempt would not come after entry_points"),
        ("by text", ("modules",), "another attempt would not come after entry_points"),
    ],
)
def test_a_retry_that_changes_nothing_or_is_after_nothing_ends_the_attempts(wider, after, why) -> None:
    play = Play().until_loaded()
    play.feed(ReconReported("recon/1", a_recon(entry_points=(), wider=wider, wider_for=after)))
    assert play.stage is Stage.ENDED
    assert len(play.state.attempts) == 1
    assert markers.text(play.state.markers[-1]).endswith(f"recovery:no further attempt: {why}")
    assert play.state.outcome is not None
    assert play.state.outcome.reasons[0].text == f"no entry point was found: {why}"


@pytest.mark.rule("A8")
def test_a_second_attempt_that_offers_itself_again_is_refused() -> None:
    play = Play().until_loaded()
    for number in (1, 2):
        play.feed(ReconReported(f"recon/{number}", a_recon(entry_points=(), wider="by text", wider_for=("entry_points",))))
    assert play.stage is Stage.ENDED
    assert [attempt.method for attempt in play.state.attempts] == [inventory.FIRST_METHOD, "by text"]


@pytest.mark.rule("A8")
def test_a_sufficient_inventory_is_not_retried() -> None:
    play = Play().until_loaded().feed(ReconReported("recon/1", a_short_recon(1)))
    assert play.stage is Stage.HUNT
    assert len(play.state.attempts) == 1


@pytest.mark.rule("A10")
def test_a_library_has_no_network_entry_and_five_public_functions() -> None:
    api = (an_entry(kind=EntryKind.PUBLIC_API),)
    library = a_recon(entry_points=api, public_functions=5)
    assert inventory.library_exemptions(library) == (Dimension.D2, Dimension.D3, Dimension.D6)
    outbound = a_recon(entry_points=api, public_functions=5, outbound_from_arguments=True)
    assert inventory.library_exemptions(outbound) == (Dimension.D2, Dimension.D3)
    assert inventory.library_exemptions(a_recon(entry_points=api, public_functions=4)) == ()


@pytest.mark.rule("A10")
@pytest.mark.parametrize("kind", [EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.QUEUE, EntryKind.RPC])
def test_a_service_of_any_network_kind_is_no_library(kind: EntryKind) -> None:
    assert inventory.library_exemptions(a_recon(entry_points=(an_entry(kind=kind),), public_functions=50)) == ()


@pytest.mark.rule("A10")
def test_the_exempt_dimensions_are_not_applicable_in_the_matrix() -> None:
    recon = a_recon(entry_points=(an_entry(kind=EntryKind.PUBLIC_API),), public_functions=9)
    play = Play().until_hunting(recon=recon).hand_in_all()
    report = play.commands[0].report  # type: ignore[union-attr]
    assert [row.dimension.value for row in report.coverage if row.status == "N/A"] == ["D2", "D3", "D6"]
    assert report.counted == 6


@pytest.mark.rule("A11")
def test_a_tiny_project_passes_recon_with_a_main_script_and_no_dependencies() -> None:
    recon = a_recon(entry_points=(an_entry(kind=EntryKind.MAIN),), dependencies=(), content_types=(), modules=())
    play = Play().until_hunting(a_survey(a_file(loc=40)), recon)
    assert play.state.checklist is Checklist.QUICK_PASSED
    assert play.stage is Stage.HUNT


@pytest.mark.rule("A13")
def test_the_recon_marker_gives_scale_stack_type_and_modules() -> None:
    play = Play().until_hunting(a_survey(a_file(loc=1234)))
    lines = markers.text(next(m for m in play.state.markers if m.kind == "recon")).splitlines()
    assert lines[1:5] == [
        "Project scale: 1 file, 1 directory, 1234 LOC",
        "Tech stack: python 100 %",
        "Project type: General Web",
        "Entry points: 1",
    ]
    assert lines[5] == "Key modules: app"
