"""One budget and one rate for many workers, decided in the database (F18, F13)."""

import contextlib
import random
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import postgres
from counterproof.model.errors import UserError
from counterproof.protocols.guard.budget import Cost
from effort import examples
from runtime.places import PostgresPlace


@pytest.fixture
def place() -> Iterator[PostgresPlace]:
    with contextlib.closing(PostgresPlace()) as kept:
        yield kept


def limits(tokens: int | None = None, micros: int | None = None, per_minute: int | None = None) -> None:
    """A fresh purse for all."""
    import psycopg

    with psycopg.connect(postgres.server().url()) as owner:
        owner.execute("DELETE FROM counterproof.holds")
        owner.execute("DELETE FROM counterproof.departures")
        owner.execute("UPDATE counterproof.purses SET used_tokens = 0, used_micros = 0, held_tokens = 0, held_micros = 0")
        owner.execute("SELECT counterproof.set_limits('fleet', %s, %s, %s)", (tokens, micros, per_minute))


def standing() -> dict[str, int]:
    import psycopg
    from psycopg.rows import dict_row

    with psycopg.connect(postgres.server().url(), row_factory=dict_row) as owner:
        found = owner.execute("SELECT * FROM counterproof.purses WHERE purse = 'fleet'").fetchone()
        assert found
        return found


def budget_of(place: PostgresPlace):
    from counterproof.runtime.postgres.budget import PostgresBudget

    place.create()
    assert place.lease
    return PostgresBudget(place.database, place.lease)


@pytest.mark.rule("F18")
def test_all_workers_at_the_last_tokens_never_exceed_the_limit() -> None:
    """Eight workers on connections of their own, each call reserved, then settled for less, all of it or nothing."""
    limit = 10_000
    limits(tokens=limit)
    spent, refused, seen = [0] * 8, [0] * 8, list[int]()
    places = [PostgresPlace() for _ in range(8)]

    def work(number: int) -> None:
        chance, budget = random.Random(number), budget_of(places[number])
        for step in range(40):
            most = chance.randint(1, 300)
            if not budget.reserve(f"q{step}", Cost(most)):
                refused[number] += 1
                continue
            cost = chance.choice((0, most, chance.randint(0, most)))
            budget.settle(f"q{step}", Cost(cost))
            spent[number] += cost
            seen.append(places[number].reading.value("SELECT used_tokens + held_tokens FROM counterproof.purses"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in places:
        each.close()
    assert sum(refused) > 0
    assert max(seen) <= limit
    assert standing()["used_tokens"] == sum(spent) <= limit
    assert standing()["held_tokens"] == 0
    assert limit - sum(spent) < 300  # nobody was refused what would have fitted


Step = tuple[str, int, int]


@pytest.mark.rule("F18")
@settings(max_examples=examples(25))
@given(
    steps=st.lists(st.tuples(st.sampled_from(["reserve", "settle", "release", "die"]), st.integers(0, 3), st.integers(0, 60))),
    micros=st.integers(0, 150),
)
def test_no_order_of_events_exceeds_the_limit(steps: list[Step], micros: int) -> None:
    """Compares with a simple account: reserved and used amounts, and the possible cost of a dead worker's calls."""
    limits(tokens=100, micros=micros)
    with contextlib.closing(PostgresPlace()) as place:
        budget = budget_of(place)
        held: dict[str, int] = {}
        used, of_the_dead = 0, set[str]()
        for what, question, amount in steps:
            mark = f"q{question}"
            if what == "reserve" and (mark not in held or mark in of_the_dead):
                used += held.pop(mark, 0)
                of_the_dead.discard(mark)
                fits = used + sum(held.values()) + amount <= min(100, micros)
                assert budget.reserve(mark, Cost(amount, amount)) == fits
                if fits:
                    held[mark] = amount
            elif what in ("settle", "release") and mark in held:
                cost = min(amount, held.pop(mark), amount if what == "settle" else 0)
                of_the_dead.discard(mark)
                budget.settle(mark, Cost(cost, cost))
                used += cost
            elif what == "die":
                place.expire()
                budget = budget_of(place)
                of_the_dead.update(held)
        now = standing()
        assert (now["used_tokens"], now["held_tokens"]) == (used, sum(held.values()))
        assert (now["used_micros"], now["held_micros"]) == (used, sum(held.values()))
        assert now["used_tokens"] + now["held_tokens"] <= 100


@pytest.mark.rule("F18")
def test_what_a_dead_worker_had_reserved_is_settled_by_the_reply_or_counted_as_spent(place: PostgresPlace) -> None:
    limits(tokens=1_000)
    first = budget_of(place)
    assert first.reserve("answered", Cost(300))
    assert first.reserve("in flight", Cost(200))
    place.expire()
    second = budget_of(place)
    second.settle("answered", Cost(120))  # the reply is in the journal
    assert second.reserve("in flight", Cost(200))  # asked again: the first may have been counted
    second.settle("in flight", Cost(150))
    second.settle("never reserved", Cost(5_000))
    assert (standing()["used_tokens"], standing()["held_tokens"]) == (120 + 200 + 150, 0)


@pytest.mark.rule("F15", "F18")
def test_a_worker_that_was_thought_dead_can_spend_nothing_more(place: PostgresPlace) -> None:
    from counterproof.runtime.postgres.journal import LeaseLost

    limits(tokens=1_000)
    first = budget_of(place)
    place.expire()
    second = budget_of(place)
    assert second.reserve("q", Cost(10))
    with pytest.raises(LeaseLost):
        first.reserve("other", Cost(10))
    with pytest.raises(LeaseLost):
        first.wait()
    first.settle("q", Cost(0))  # the hold of that name is the other worker's by now
    assert standing()["held_tokens"] == 10


@pytest.mark.rule("F13")
def test_requests_of_all_workers_together_keep_to_the_rate() -> None:
    limits(per_minute=5)
    places = [PostgresPlace() for _ in range(4)]
    waits: list[float] = []

    def ask(place: PostgresPlace) -> None:
        budget = budget_of(place)
        waits.extend(budget.wait() for _ in range(3))

    threads = [threading.Thread(target=ask, args=(place,)) for place in places]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in places:
        each.close()
    assert sum(wait == 0 for wait in waits) == 5
    assert all(55 < wait <= 62 for wait in waits if wait)


def test_only_an_operator_sets_limits(place: PostgresPlace) -> None:
    with pytest.raises(UserError, match="refuses this user"):
        place.database.rows("SELECT counterproof.set_limits('fleet', NULL, NULL, NULL)")
