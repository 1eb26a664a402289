"""A monorepo is judged root by root, and the whole is as good as the worst of its roots (A10, A16, A19, A20)."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.contract import AgentTask
from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.ledger import Comparison, Item, Ledger, Search
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, Guard, Permission, Recon, RootFacts
from counterproof.model.report import RootCoverage
from counterproof.model.survey import Language
from counterproof.protocols.audit import by_root
from counterproof.protocols.audit.evaluation import judge
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import Work
from effort import examples
from protocols.audit.cast import audit, hunter, play_on, report_of
from protocols.audit.chaos import Chaos
from protocols.audit.play import Play, a_file, a_recon, a_survey, an_entry, earned, finished

D1, D2, D3, D6, D7 = Dimension.D1, Dimension.D2, Dimension.D3, Dimension.D6, Dimension.D7
ROOTS = ("api", "web")
SURVEY = a_survey(a_file("api/app.py"), a_file("web/app.py"), a_file("setup.cfg", 0, None))


def two_roots(**changes: object) -> Recon:
    facts = tuple(RootFacts(root, 1, False) for root in ROOTS)
    entries = tuple(an_entry(f"{root}/app.py") for root in ROOTS)
    return a_recon(**{"roots": ROOTS, "by_root": facts, "entry_points": entries, "p0_files": (), **changes})


@cache
def a_task() -> AgentTask:
    return Play().until_hunting().tasks()[0]


def work(ledger: Ledger) -> Work:
    task = replace(a_task(), dimensions=ALL_DIMENSIONS)
    return Work(task, finished(task).reply, ledger)


def whole(*paths: str, dimensions: tuple[Dimension, ...] = ALL_DIMENSIONS) -> Work:
    """An agent that earned these dimensions in each of these files."""
    ledger = Ledger()
    for path in paths:
        ledger += earned(dimensions, path)
    return work(ledger)


def row(rows: tuple[DimensionCoverage, ...], dimension: Dimension) -> DimensionCoverage:
    return next(each for each in rows if each.dimension is dimension)


def of(roots: tuple[RootCoverage, ...], name: str) -> RootCoverage:
    return next(each for each in roots if each.root == name)


@pytest.mark.rule("A20")
def test_the_whole_is_as_good_as_the_worst_root() -> None:
    judged = judge(SURVEY, two_roots(), (D1, D7), (whole("api/app.py"),))
    assert [row(of(judged.roots, "api").coverage, each).status for each in (D1, D7)] == [Status.COVERED, Status.COVERED]
    assert row(of(judged.roots, "web").coverage, D7).status is not Status.SHALLOW
    both = judge(SURVEY, two_roots(), (D1, D7), (whole("api/app.py", "web/app.py"),))
    assert row(both.rows, D1).status is Status.COVERED
    assert row(both.rows, D1).reason.startswith("in both roots; api: ")
    searched = work(Ledger(searches=(Search(D1, "a", "one", 2, ("api/app.py", "web/app.py")),)))
    mixed = judge(SURVEY, two_roots(), (D1,), (replace(searched, ledger=searched.ledger + earned((D1,), "api/app.py")),))
    assert row(mixed.rows, D1).status is Status.SHALLOW
    assert row(mixed.rows, D1).reason.startswith("web: searched, but no sink")


@pytest.mark.rule("A20")
def test_a_root_that_nobody_looked_at_is_uncovered_and_so_is_the_whole() -> None:
    survey = a_survey(a_file("api/app.py"), a_file("web/app.js", language=Language.JAVASCRIPT))
    judged = judge(survey, two_roots(), ALL_DIMENSIONS, (whole("api/app.py"),))
    assert {each.status for each in of(judged.roots, "web").coverage} == {Status.UNCOVERED}
    assert {each.status for each in judged.rows} == {Status.UNCOVERED}
    assert of(judged.roots, "api").covered == 9
    assert (of(judged.roots, "web").covered, of(judged.roots, "web").counted, of(judged.roots, "web").threshold) == (0, 10, 8)


@pytest.mark.rule("A16")
def test_an_empty_search_of_the_whole_tree_proves_absence_in_every_root() -> None:
    empty = tuple(Search(D6, kind, query, 0) for kind, query in ("ab", "ac", "bd"))
    judged = judge(SURVEY, two_roots(), (D6,), (work(Ledger(searches=empty)),))
    assert {row(each.coverage, D6).status for each in judged.roots} == {Status.NOT_APPLICABLE}
    assert row(judged.rows, D6).status is Status.NOT_APPLICABLE


@pytest.mark.rule("A16")
def test_hits_in_one_root_do_not_undo_absence_in_another() -> None:
    judged = judge(SURVEY, two_roots(), (D6,), (whole("api/app.py", dimensions=(D6,)),))
    assert row(of(judged.roots, "api").coverage, D6).status is Status.COVERED
    assert row(of(judged.roots, "web").coverage, D6).status is Status.NOT_APPLICABLE
    assert row(judged.rows, D6).reason.startswith("api: ")


@pytest.mark.rule("A10")
def test_a_library_beside_a_service_is_exempt_by_itself_only() -> None:
    entries = (an_entry("api/app.py"), an_entry("web/app.py", kind=EntryKind.PUBLIC_API))
    facts = (RootFacts("api", 50, False), RootFacts("web", 5, False))
    judged = judge(SURVEY, two_roots(entry_points=entries, by_root=facts), ALL_DIMENSIONS, (whole("api/app.py", "web/app.py"),))
    library, service = of(judged.roots, "web"), of(judged.roots, "api")
    assert (library.library, service.library) == (True, False)
    assert [each.dimension for each in library.coverage if each.status is Status.NOT_APPLICABLE] == [D2, D3, D6]
    assert row(service.coverage, D2).status is row(judged.rows, D2).status is Status.COVERED
    assert row(judged.rows, D2).reason.startswith("api: ")


@pytest.mark.rule("A19")
def test_endpoints_and_resources_are_counted_in_their_own_root() -> None:
    rows = tuple(
        Permission(at(f"{root}/app.py", 10 + n), "POST", "/", Guard.PRESENT, Guard.UNKNOWN) for root in ROOTS for n in (1, 2)
    )
    facts = (RootFacts("api", 1, False, ("orders",)), RootFacts("web", 1, False, ()))
    recon = two_roots(permissions=rows, by_root=facts, resources=("orders",))
    ledger = replace(
        whole("api/app.py", "web/app.py").ledger,
        endpoints=tuple(each.handler for each in rows[:2]),
        comparisons=(Comparison("orders", ("create", "delete"), True, at("api/app.py", 11)),),
    )
    judged = judge(SURVEY, recon, (D3,), (work(ledger),), Mode.STANDARD)
    api, web = of(judged.roots, "api"), of(judged.roots, "web")
    assert api.control is not None
    assert web.control is not None
    assert (api.control.verified, api.control.endpoints, api.control.compared) == (2, 2, 1)
    assert (web.control.verified, web.control.endpoints, web.control.resources) == (0, 2, 0)
    assert row(api.coverage, D3).status is Status.COVERED
    assert row(judged.rows, D3).status is Status.SHALLOW
    assert "web: " in row(judged.rows, D3).reason


def test_records_above_every_root_count_for_all_roots() -> None:
    shared = work(Ledger(items=(Item(D7, "key", at("setup.cfg", 1), True, "fine"),)))
    judged = judge(SURVEY, two_roots(), (D7,), (shared,))
    assert [row(each.coverage, D7).items_judged for each in judged.roots] == [1, 1]
    topped = a_survey(*SURVEY.files, a_file("main.py"))
    three = judge(topped, two_roots(roots=(".", *ROOTS)), (D7,), (shared,))
    assert [row(each.coverage, D7).items_judged for each in three.roots] == [1, 0, 0]


@pytest.mark.rule("A20")
def test_a_root_too_small_to_decide_is_shown_and_said() -> None:
    survey = a_survey(a_file("api/app.py", 1000), a_file("web/app.py", 99))
    play = Play().until_hunting(survey, two_roots(entry_points=(an_entry("api/app.py"),)))
    for task in play.tasks():
        hit = tuple(Search(each, "a", "four", 1, ("web/app.py",)) for each in task.dimensions)
        play.feed(finished(task, ledger=earned(task.dimensions, "api/app.py") + Ledger(searches=hit)))
    report = report_of(play)
    assert [(each.root, each.decides) for each in report.roots] == [("api", True), ("web", False)]
    assert row(report.coverage, D1).status is Status.COVERED
    assert row(report.roots[1].coverage, D1).status is Status.SHALLOW
    assert any("listed separately: web (99 lines)" in line for line in report.limitations)


def test_one_root_is_the_whole_tree_and_is_not_listed_twice() -> None:
    for roots in ((), (".",), ("api",)):
        judged = judge(a_survey(), a_recon(roots=roots), (D1,), (whole("app.py"),))
        assert judged.roots == ()
        assert not row(judged.rows, D1).reason.startswith((".", "api"))
    assert judge(SURVEY, a_recon(roots=("api", "web", "gone")), (D1,), ()).rows[0].status is Status.UNCOVERED


def test_the_recon_marker_counts_the_roots() -> None:
    play = Play().until_hunting(SURVEY, two_roots())
    said = next(marker["Project scale"] for marker in play.state.markers if marker.kind == "recon")
    assert said == "3 files, 1 directory, 2000 LOC, 2 manifest roots"


def test_a_whole_standard_audit_of_a_monorepo() -> None:
    play = audit(Mode.STANDARD)  # the shape of a report of a single project does not change
    assert report_of(play_on(play)).roots == ()
    many = Play(replace(play.state.request, mode=Mode.STANDARD)).until_hunting(SURVEY, two_roots())

    def part(task: AgentTask):
        event = hunter()(task)
        return replace(event, ledger=earned(task.dimensions, "api/app.py") + earned(task.dimensions, "web/app.py"))

    report = report_of(play_on(many, hunter=part))
    assert [each.root for each in report.roots] == ["api", "web"]
    assert all(each.control is not None and each.entry_points == 1 for each in report.roots)
    assert report.covered == 9


PATHS = ("app.py", "api/app.py", "web/app.py", "web/deep/x.py", "else/y.py")


@pytest.mark.rule("A20")
@settings(max_examples=examples(60), deadline=None)
@given(
    st.integers(0, 10_000),
    st.sets(st.sampled_from((".", "api", "web", "web/deep")), min_size=2),
    st.lists(st.tuples(st.sampled_from(PATHS), st.integers(1, 2_000)), min_size=1, max_size=5, unique_by=lambda each: each[0]),
)
def test_no_row_is_better_than_any_deciding_root(seed: int, roots: set[str], files: list[tuple[str, int]]) -> None:
    survey = a_survey(*(a_file(path, loc) for path, loc in sorted(files)))
    ordered = tuple(sorted(roots))
    recon = a_recon(roots=ordered, by_root=tuple(RootFacts(root, 3 * n, False) for n, root in enumerate(ordered)))
    events = [each for n in range(4) for each in Chaos(f"{seed} {n}").behave(replace(a_task(), dimensions=ALL_DIMENSIONS))]
    done = tuple(Work(a_task(), each.reply, each.ledger) for each in events if hasattr(each, "reply"))
    judged = judge(survey, recon, ALL_DIMENSIONS, done, Mode.STANDARD)
    assert tuple(each.dimension for each in judged.rows) == ALL_DIMENSIONS
    for place, whole_row in enumerate(judged.rows):
        for root in judged.roots:
            if root.decides and root.coverage[place].status is not Status.NOT_APPLICABLE:
                assert whole_row.status.rank <= root.coverage[place].status.rank
    if judged.roots:
        assert sum(root.loc for root in judged.roots) <= survey.loc
        assert any(root.decides for root in judged.roots)
        assert len(by_root.views(survey, recon, ())) == len(judged.roots)
