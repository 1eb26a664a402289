"""Coverage is earned: A14 to A18, A20."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.model.contract import Claim
from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import ALL_DIMENSIONS, CORE_DIMENSIONS, Dimension, Track
from counterproof.model.ledger import Item, Ledger, Search, Trace
from counterproof.model.location import at
from counterproof.model.survey import Language
from counterproof.protocols.audit import coverage, modes
from counterproof.protocols.audit.coverage import Evidence, status_of
from counterproof.protocols.audit.evaluation import applies, judge
from counterproof.protocols.audit.events import AgentFailed
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import Work
from protocols.audit.play import Play, a_file, a_recon, a_survey, earned, finished

D1, D3, D4, D7, D9, D10 = Dimension.D1, Dimension.D3, Dimension.D4, Dimension.D7, Dimension.D9, Dimension.D10
TRACED = Trace(D1, "sql", at("app.py", 3), True, "request")


def empty(dimension: Dimension, kinds: str = "aab") -> tuple[Search, ...]:
    return tuple(Search(dimension, kind, f"query {number}", 0) for number, kind in enumerate(kinds))


def hits(dimension: Dimension, files: int) -> Search:
    return Search(dimension, "a", "query", files, tuple(f"f{n}.py" for n in range(files)))


def status(dimension: Dimension, evidence: Evidence, applicable: bool = True) -> Status:
    return status_of(dimension, evidence, applicable).status


@pytest.mark.rule("A14")
def test_ten_dimensions_on_three_tracks() -> None:
    by_track = {track: [d.value for d in ALL_DIMENSIONS if d.track is track] for track in Track}
    assert by_track == {
        Track.SINK: ["D1", "D4", "D5", "D6"],
        Track.CONTROL: ["D3", "D9"],
        Track.CONFIG: ["D2", "D7", "D8", "D10"],
    }
    assert [d.value for d in CORE_DIMENSIONS] == ["D1", "D2", "D3"]


@pytest.mark.rule("A15")
@pytest.mark.parametrize(
    ("counted", "quick", "deep"), [(10, 8, 9), (9, 8, 9), (8, 7, 8), (7, 6, 7), (5, 4, 5), (1, 1, 1), (0, 0, 0)]
)
def test_thresholds(counted: int, quick: int, deep: int) -> None:
    assert modes.threshold(Mode.QUICK, counted) == modes.threshold(Mode.STANDARD, counted) == quick
    assert modes.threshold(Mode.DEEP, counted) == deep


@pytest.mark.rule("A15")
def test_n_a_and_missing_outside_input_leave_n() -> None:
    rows = [
        DimensionCoverage(D1, Status.COVERED, "r"),
        DimensionCoverage(D4, Status.UNCOVERED, "r"),
        DimensionCoverage(D7, Status.NOT_APPLICABLE, "r"),
        DimensionCoverage(D10, Status.SHALLOW, "r", excluded=True),
    ]
    assert coverage.counts(rows) == (1, 2)


@pytest.mark.rule("A15")
def test_supply_chain_without_vulnerability_data_is_shallow_with_a_limitation() -> None:
    row = status_of(D10, Evidence((), (), (Item(D10, "manifest", at("requirements.txt", 1), True, "pinned"),)), True)
    assert row.status is Status.SHALLOW
    assert row.excluded
    assert "no vulnerability data" in row.limitation


@pytest.mark.rule("A15")
@pytest.mark.parametrize(("language", "excluded"), [(Language.RUBY, True), (Language.GO, True), (Language.PYTHON, False)])
def test_authorization_leaves_n_where_guards_are_not_judged(language: Language, excluded: bool) -> None:
    unread = Trace(D3, "endpoint", at("orders", 3), False, broken_by="auth: not analysed in this language")
    row = status_of(D3, Evidence((hits(D3, 1),), (unread,), ()), True, language=language)
    assert (row.status, row.excluded) == (Status.SHALLOW, excluded)
    assert bool(row.limitation) is excluded
    never = status_of(D3, Evidence((), (), ()), True, language=language)
    assert (never.status, never.excluded) == ((Status.SHALLOW, True) if excluded else (Status.UNCOVERED, False))


@pytest.mark.rule("A15")
def test_authorization_counts_once_a_guard_was_followed_whatever_the_language() -> None:
    unread = Trace(D3, "endpoint", at("orders", 3), False, broken_by="auth: not analysed in this language")
    followed = (unread, Trace(D3, "endpoint", at("orders", 9), True, origin="guard"))
    row = status_of(D3, Evidence((hits(D3, 1),), followed, ()), True, language=Language.RUBY)
    assert (row.status, row.excluded) == (Status.COVERED, False)


@pytest.mark.rule("A16")
def test_a_traced_sink_covers_a_search_alone_does_not() -> None:
    assert status(D1, Evidence((), (), ())) is Status.UNCOVERED
    assert status(D1, Evidence((hits(D1, 1),), (), ())) is Status.SHALLOW
    broken = Trace(D1, "sql", at("app.py", 3), False, broken_by="callback")
    assert status(D1, Evidence((hits(D1, 1),), (broken,), ())) is Status.SHALLOW
    assert status(D1, Evidence((hits(D1, 1),), (TRACED,), ())) is Status.COVERED


@pytest.mark.rule("A16")
@pytest.mark.parametrize(
    ("searches", "expected"),
    [
        (empty(D1, "aab"), Status.COVERED),
        (empty(D1, "ab"), Status.SHALLOW),
        (empty(D1, "aaa"), Status.SHALLOW),
        ((*empty(D1, "aab"), hits(D1, 1)), Status.SHALLOW),
        (empty(D1, "aab")[:1] * 3, Status.SHALLOW),
    ],
    ids=["proved", "two searches", "one sub-category", "a hit left", "the same search thrice"],
)
def test_absence_needs_three_distinct_empty_searches_over_two_sub_categories(
    searches: tuple[Search, ...], expected: Status
) -> None:
    assert status(D1, Evidence(searches, (), ())) is expected


@pytest.mark.rule("A16")
def test_config_driven_dimensions_need_every_core_item_judged() -> None:
    judged = Item(D7, "key", at("app.py", 1), True, "read from the environment")
    seen = Item(D7, "key", at("app.py", 2), False)
    assert status(D7, Evidence((hits(D7, 1),), (), (judged,))) is Status.COVERED
    assert status(D7, Evidence((hits(D7, 1),), (), (judged, seen))) is Status.SHALLOW
    assert status(D7, Evidence((hits(D7, 1),), (), ())) is Status.SHALLOW


@pytest.mark.rule("A16")
def test_a_claim_can_only_lower() -> None:
    play = Play().until_hunting()
    task = next(task for task in play.tasks() if D1 in task.dimensions)
    lying = finished(task, ledger=Ledger())
    lying = type(lying)(lying.answers, lying.at, lying.reply, Ledger(), ())
    boasting = Claim(D1, Status.COVERED, "trust me")
    from dataclasses import replace

    play.feed(replace(lying, reply=replace(lying.reply, claims=(boasting,))))
    for other in play.state.tasks:
        if other.id != task.id:
            play.feed(finished(other))
    row = next(row for row in play.state.coverage if row.dimension is D1)
    assert row.status is Status.UNCOVERED

    modest = Claim(D1, Status.SHALLOW, "I skipped the callbacks")
    work = Work(task, replace(lying.reply, claims=(modest,)), earned(task.dimensions))
    rows = judge(a_survey(), a_recon(), (D1,), (work,)).rows
    assert rows[0].status is Status.SHALLOW
    assert "I skipped the callbacks" in rows[0].reason


@pytest.mark.rule("A17")
def test_n_a_needs_proof_and_is_never_given_to_injection() -> None:
    proof = Evidence(empty(D4), (), ())
    assert status(D4, proof, applicable=False) is Status.NOT_APPLICABLE
    assert status(D4, proof, applicable=True) is Status.COVERED
    assert status(D4, Evidence(empty(D4, "ab"), (), ()), applicable=False) is Status.SHALLOW
    assert applies(D1, a_recon())
    assert applies(Dimension.D2, a_recon())
    assert not applies(D4, a_recon())
    assert applies(D4, a_recon(triggers=("xxe",)))


@pytest.mark.rule("A18")
@pytest.mark.parametrize(
    ("hit", "traced", "expected"), [(10, 2, Status.SHALLOW), (10, 3, Status.COVERED), (9, 1, Status.COVERED)]
)
def test_fan_out_under_30_percent_of_ten_or_more_files_is_shallow(hit: int, traced: int, expected: Status) -> None:
    traces = tuple(Trace(D1, "sql", at(f"f{n}.py", 1), True, "request") for n in range(traced))
    assert status(D1, Evidence((hits(D1, hit),), traces, ())) is expected


@pytest.mark.rule("A18")
def test_fan_out_binds_sink_driven_dimensions_only_and_counts_files_with_hits() -> None:
    wide = (hits(D9, 20),)
    elsewhere = Trace(D9, "order", at("unhit.py", 3), True, "the session")
    row = status_of(D9, Evidence(wide, (elsewhere,), ()), True)
    assert row.status is Status.COVERED
    assert row.files_traced == 0
    assert row.files_hit == 20


@pytest.mark.rule("A20")
def test_best_over_agents_worst_over_languages() -> None:
    survey = a_survey(a_file(loc=600), a_file("main.go", 400, Language.GO))
    play = Play().until_hunting(survey)
    python = next(t for t in play.tasks() if t.languages == (Language.PYTHON,) and D1 in t.dimensions)
    work = Work(python, finished(python).reply, earned(python.dimensions))
    nothing = Work(python, finished(python).reply, Ledger())
    only_python = judge(a_survey(), a_recon(), (D1,), (work, nothing)).rows
    assert only_python[0].status is Status.COVERED
    both = judge(survey, a_recon(), (D1,), (work, nothing)).rows
    assert both[0].status is Status.UNCOVERED
    assert "go" in both[0].reason


@pytest.mark.rule("A20")
def test_gaps_are_dimensions_neither_covered_nor_n_a() -> None:
    rows = [DimensionCoverage(d, s, "r") for d, s in zip(ALL_DIMENSIONS, Status, strict=False)]
    assert coverage.gaps(rows) == (Dimension.D2, Dimension.D3)


@pytest.mark.rule("A16", "A26")
def test_a_failed_agent_caps_its_dimensions() -> None:
    play = Play().until_hunting()
    first, *others = play.tasks()
    play.feed(AgentFailed(first.id, "t", "broke")).feed(AgentFailed(f"{first.agent_id}/attempt-2", "t", "broke again"))
    for task in others:
        play.feed(finished(task))
    assert {row.dimension for row in play.state.coverage if row.status is Status.UNCOVERED} == set(first.dimensions)


records = st.builds(
    lambda d, kind, query, n: Search(d, kind, query, n, tuple(f"f{i}.py" for i in range(n))),
    st.just(D1),
    st.sampled_from("abc"),
    st.sampled_from("xyz"),
    st.integers(0, 12),
)
incomplete = st.builds(lambda n: Trace(D1, "a", at("f.py", n), False, broken_by="callback"), st.integers(1, 9))


@pytest.mark.rule("A16")
@given(st.lists(records, max_size=12), st.lists(incomplete, max_size=4))
def test_no_pile_of_searches_with_hits_or_broken_traces_ever_covers(searches: list[Search], traces: list[Trace]) -> None:
    row = status_of(D1, Evidence(tuple(searches), tuple(traces), ()), True)
    if row.status is Status.COVERED:
        assert searches
        assert not traces
        assert all(search.hits == 0 for search in searches)
        assert len({(s.kind, s.query) for s in searches}) >= 3
        assert len({s.kind for s in searches}) >= 2


@pytest.mark.rule("A16", "A20")
def test_hits_of_a_search_over_all_files_count_for_the_language_of_the_file() -> None:
    languages: dict[str, Language | None] = {"a.ts": Language.TYPESCRIPT, "b.js": Language.JAVASCRIPT, "c.env": None}
    ledger = Ledger(searches=(*empty(D7), Search(D7, "c", "keys", 2, ("b.js",)), Search(D7, "d", "other", 1, ("a.ts", "b.js"))))
    there = coverage.evidence_for(ledger, D7, Language.JAVASCRIPT, languages)
    assert there.files_hit == {"b.js"}
    here = coverage.evidence_for(ledger, D7, Language.TYPESCRIPT, languages)
    assert (here.files_hit, [each.hits for each in here.searches]) == ({"a.ts"}, [0, 0, 0, 0, 1])
    assert coverage.evidence_for(Ledger(searches=ledger.searches[:4]), D7, Language.TYPESCRIPT, languages).proves_absence()
    settings = Ledger(searches=(*empty(D7), Search(D7, "c", "keys", 1, ("c.env",))))
    assert not coverage.evidence_for(settings, D7, Language.TYPESCRIPT, languages).proves_absence()
