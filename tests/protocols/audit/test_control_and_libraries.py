"""Control-driven coverage by figures (A19), absence that others contradict (A16), and libraries in full audits (A10)."""

from dataclasses import replace

import pytest

from counterproof.model.contract import AgentTask
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.ledger import Comparison, Search
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, Guard, Permission, Recon
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from protocols.audit.cast import hunter, next_round, play_on, report_of
from protocols.audit.play import Play, a_recon, an_entry, finished


def permissions(count: int) -> tuple[Permission, ...]:
    return tuple(Permission(at("app.py", 100 + n), "POST", f"/{n}", Guard.PRESENT, Guard.UNKNOWN) for n in range(count))


def with_matrix(mode: Mode, endpoints: int, resources: tuple[str, ...], verified: int, compared: tuple[str, ...]) -> Play:
    recon = a_recon(permissions=permissions(endpoints), resources=resources)

    def part(task: AgentTask):
        event = hunter()(task)
        comparisons = tuple(Comparison(name, ("create", "delete"), True, at("app.py", 1)) for name in compared)
        places = tuple(row.handler for row in recon.permissions[:verified])
        return replace(event, ledger=replace(event.ledger, endpoints=places, comparisons=comparisons))

    return next_round(Play(AuditRequest("/shop", mode=mode, yes=True)).until_hunting(recon=recon), hunter=part)


def status(play: Play, dimension: Dimension) -> Status:
    return next(row.status for row in play.state.coverage if row.dimension is dimension)


THREE = ("orders", "users", "items")


@pytest.mark.rule("A19")
@pytest.mark.parametrize("dimension", [Dimension.D3, Dimension.D9])
@pytest.mark.parametrize(
    ("mode", "endpoints", "verified", "enough"),
    [
        (Mode.STANDARD, 10, 3, True),
        (Mode.STANDARD, 10, 2, False),
        (Mode.STANDARD, 70, 21, True),
        (Mode.DEEP, 10, 5, True),
        (Mode.DEEP, 10, 4, False),
        (Mode.DEEP, 1, 0, False),
        (Mode.STANDARD, 0, 0, True),
    ],
)
def test_the_endpoint_ratio(dimension: Dimension, mode: Mode, endpoints: int, verified: int, enough: bool) -> None:
    play = with_matrix(mode, endpoints, THREE, verified, THREE)
    assert status(play, dimension) is (Status.COVERED if enough else Status.SHALLOW)
    assert status(play, Dimension.D1) is Status.COVERED


@pytest.mark.rule("A19")
@pytest.mark.parametrize(
    ("resources", "compared", "enough"),
    [
        (THREE, THREE, True),
        (THREE, THREE[:2], False),
        ((*THREE, "carts"), THREE, True),
        (THREE[:1], THREE[:1], True),
        (THREE[:1], (), False),
        ((), (), True),
        (THREE, ("other", "things", "entirely"), False),
    ],
)
def test_crud_consistency_is_compared_for_three_resources_or_all(resources, compared, enough: bool) -> None:
    play = with_matrix(Mode.STANDARD, 4, resources, 4, compared)
    assert status(play, Dimension.D3) is (Status.COVERED if enough else Status.SHALLOW)


@pytest.mark.rule("A19")
def test_quick_is_not_held_to_the_figures() -> None:
    play = with_matrix(Mode.QUICK, 10, THREE, 0, ())
    assert status(play, Dimension.D3) is Status.COVERED


@pytest.mark.rule("A19", "A50")
def test_the_report_gives_the_figures() -> None:
    play = play_on(with_matrix(Mode.STANDARD, 10, THREE, 4, THREE[:2]))
    control = report_of(play).control
    assert control is not None
    assert (control.endpoints, control.verified, control.resources, control.compared) == (10, 4, 3, 2)


# A16: absence holds for everybody or for nobody


@pytest.mark.rule("A16", "A17", "A20")
def test_empty_searches_of_one_agent_do_not_outweigh_the_hits_of_another() -> None:
    empty = tuple(Search(Dimension.D4, kind, query, 0) for kind, query in (("a", "1"), ("a", "2"), ("b", "3")))
    hit = (Search(Dimension.D4, "a", "pickle", 1, ("app.py",)),)

    def round_one(task: AgentTask):
        event = hunter()(task)
        ledger = event.ledger
        traces = tuple(each for each in ledger.traces if each.dimension is not Dimension.D4)
        searches = tuple(each for each in ledger.searches if each.dimension is not Dimension.D4)
        return replace(event, ledger=replace(ledger, traces=traces, searches=searches + hit))

    play = Play(AuditRequest("/shop", mode=Mode.DEEP, yes=True)).until_hunting()
    next_round(play, hunter=round_one)
    assert status(play, Dimension.D4) is Status.SHALLOW
    next_round(play, hunter=lambda task: finished(task, ledger=replace(hunter()(task).ledger, traces=(), searches=empty)))
    assert status(play, Dimension.D4) is Status.SHALLOW


@pytest.mark.rule("A17", "A25")
@pytest.mark.parametrize(("ended", "expected"), [(True, Status.NOT_APPLICABLE), (False, Status.SHALLOW)])
def test_empty_searches_of_an_agent_that_was_cut_off_rule_nothing_out(ended: bool, expected: Status) -> None:
    empty = tuple(Search(Dimension.D4, kind, query, 0) for kind, query in (("a", "1"), ("a", "2"), ("b", "3")))
    play = Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_hunting()
    first, *others = play.tasks()
    assert Dimension.D4 in first.dimensions
    play.feed(finished(first, ledger=replace(hunter()(first).ledger, traces=(), searches=empty), ended=ended))
    for task in others:
        play.feed(finished(task))
    assert status(play, Dimension.D4) is expected


# A10


def library(**changes: object) -> Recon:
    entry = an_entry(kind=EntryKind.PUBLIC_API)
    return a_recon(**{"entry_points": (entry,), "public_functions": 5, **changes})


def played(recon: Recon) -> Play:
    return play_on(Play(AuditRequest("/lib", mode=Mode.STANDARD, yes=True)).until_hunting(recon=recon))


@pytest.mark.rule("A10", "A15")
def test_a_library_leaves_out_authentication_authorisation_and_ssrf() -> None:
    report = report_of(played(library()))
    na = [row.dimension for row in report.coverage if row.status is Status.NOT_APPLICABLE]
    assert na == [Dimension.D2, Dimension.D3, Dimension.D6]
    assert (report.covered, report.counted, report.threshold) == (6, 6, 5)


@pytest.mark.rule("A10")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"outbound_from_arguments": True}, [Dimension.D2, Dimension.D3]),
        ({"public_functions": 4}, []),
        ({"entry_points": (an_entry(kind=EntryKind.QUEUE),)}, []),
        ({"entry_points": (an_entry(kind=EntryKind.RPC),)}, []),
        ({"entry_points": (an_entry(kind=EntryKind.HTTP),)}, []),
    ],
)
def test_projects_that_are_almost_libraries(change: dict[str, object], expected: list[Dimension]) -> None:
    report = report_of(played(library(**change)))
    assert [row.dimension for row in report.coverage if row.status is Status.NOT_APPLICABLE] == expected


@pytest.mark.rule("A10", "A46")
def test_exempt_dimensions_are_no_gaps_for_the_next_round() -> None:
    play = Play(AuditRequest("/lib", mode=Mode.DEEP, yes=True)).until_hunting(recon=library())
    next_round(play)
    (task,) = [task for task in play.state.tasks if task.round == 2]
    assert task.context is not None
    assert dict(task.context.transfer.covered)[Dimension.D2] is Status.NOT_APPLICABLE
    assert Dimension.D2 not in task.context.transfer.gaps
    assert {Dimension.D2, Dimension.D3, Dimension.D6}.isdisjoint(task.dimensions)


def empty_searches(task: AgentTask):
    event = hunter()(task)
    searches = tuple(Search(Dimension.D2, kind, kind, 0, language="python") for kind in ("password", "session", "token", "login"))
    kept = tuple(each for each in event.ledger.searches if each.dimension is not Dimension.D2)
    traces = tuple(each for each in event.ledger.traces if each.dimension is not Dimension.D2)
    items = tuple(each for each in event.ledger.items if each.dimension is not Dimension.D2)
    return replace(event, ledger=replace(event.ledger, searches=(*kept, *searches), traces=traces, items=items))


@pytest.mark.rule("A16")
@pytest.mark.parametrize(("credentials", "expected"), [((), Status.COVERED), (("jwt",), Status.SHALLOW)])
def test_empty_searches_do_not_cover_authentication_where_recon_saw_a_login(credentials, expected: Status) -> None:
    recon = a_recon(credentials=credentials)
    play = next_round(Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_hunting(recon=recon), hunter=empty_searches)
    assert status(play, Dimension.D2) is expected


@pytest.mark.rule("A10")
def test_application_that_was_not_understood_leaves_authentication_uncovered_with_the_reason() -> None:
    recon = replace(a_recon(entry_points=(an_entry(kind=EntryKind.MAIN),)), not_understood=("gRPC",), public_functions=20)
    play = next_round(Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_hunting(recon=recon), hunter=hunter())
    rows = {row.dimension: row for row in play.state.coverage}
    for dimension in (Dimension.D2, Dimension.D3):
        assert (rows[dimension].status, rows[dimension].reason) == (Status.UNCOVERED, "entry points of gRPC not understood")
