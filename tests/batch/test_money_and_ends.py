"""The pure part of a batch: shares of one budget, one exit code, what is new and gone."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from counterproof.model.batch import Outcome, Row, Spent, State, Target, allowance, exit_of, free, spent_of, trend
from counterproof.model.budget import Limit
from counterproof.model.receipt import Exit

PAID = ("--agents", "openai:model")


def rows(number: int) -> list[Row]:
    return [Row(place, Target(f"/{place}", "", PAID)) for place in range(number)]


@given(st.integers(1, 5_000), st.lists(st.tuples(st.integers(0, 100), st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_reserved_and_spent_never_exceed_the_budget(tokens: int, course: list[tuple[int, bool, bool]]) -> None:
    """Jobs start and end in any order; each spends part of its share, or dies and counts as having spent all of it."""
    budget, all_rows, running = Limit(tokens), rows(len(course)), list[int]()
    for place, (percent, dies, ends_before) in enumerate(course):
        share = allowance(budget, tuple(all_rows))
        if share is None:
            all_rows[place] = replace(all_rows[place], state=State.FAILED, outcome=Outcome(int(Exit.OVER_BUDGET), "over"))
        else:
            assert share.tokens
            all_rows[place] = replace(all_rows[place], state=State.RUNNING, reserved=share)
            running.append(place)
        held = sum(each.reserved.tokens or 0 for each in all_rows if not each.state.ended)
        assert spent_of(tuple(all_rows)).tokens + held <= tokens
        if ends_before and running:
            ended = running.pop(0)
            reserved = all_rows[ended].reserved.tokens or 0
            cost = Spent(reserved if dies else reserved * percent // 100)
            all_rows[ended] = replace(all_rows[ended], state=State.DONE, outcome=Outcome(0, "clean", cost=cost), reserved=Limit())


def test_what_is_not_used_comes_back() -> None:
    all_rows = rows(4)
    assert allowance(
        Limit(400), tuple(replace(all_rows[0], state=State.RUNNING) if n == 0 else r for n, r in enumerate(all_rows))
    ) == Limit(100)
    all_rows[0] = replace(all_rows[0], state=State.DONE, outcome=Outcome(0, "clean", cost=Spent(10)))
    assert free(Limit(400), tuple(all_rows)) == Limit(390)


def test_targets_without_models_take_no_share() -> None:
    free_ones = [Row(place, Target(f"/{place}")) for place in range(9)]
    paid = replace(rows(1)[0], state=State.RUNNING)
    assert allowance(Limit(900), (paid, *free_ones)) == Limit(900)


def test_one_exit_code_over_all() -> None:
    def ended(*codes: int) -> tuple[Row, ...]:
        return tuple(Row(place, Target("/x"), State.DONE, outcome=Outcome(code, "")) for place, code in enumerate(codes))

    assert exit_of(ended(0, 0)) is Exit.CLEAN
    assert exit_of(ended(0, 3, 5)) is Exit.OVER_BUDGET
    assert exit_of(ended(0, 3, 1)) is Exit.FINDINGS
    assert exit_of((*ended(1), Row(9, Target("/y")))) is Exit.PAUSED
    assert exit_of(ended(1, 70, 2)) is Exit.INTERNAL


def test_new_and_gone_findings_are_matched_by_fingerprint() -> None:
    before, now = (Outcome(1, "", folder="f", findings=each) for each in (("a", "b"), ("b", "c", "d")))
    told = trend(now, before)
    assert (told.known, told.new, told.gone) == (True, 2, 1)
    assert not trend(now, None).known
    assert not trend(now, replace(before, folder="")).known  # it had no report, so nothing is known to be new


def test_what_was_cut_short_is_asked_again() -> None:
    assert Outcome(1, "", folder="f", codes=(1, 3)).is_lasting
    assert not Outcome(1, "", folder="f", codes=(1, 5)).is_lasting
    assert not Outcome(3, "", codes=(3,)).is_lasting
