"""The journal, wherever it is kept: chained, one writer, tampering shows (R33, X18). Files: `test_journal_files`."""

import contextlib
from collections.abc import Callable, Iterator

import pytest

from counterproof.model.errors import JournalError
from counterproof.ports import ReplyKey
from counterproof.runtime.chain import chained, genesis
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replies import JournalReplies
from runtime.places import Place


@pytest.fixture
def journal(place: Place) -> Iterator[RunJournal]:
    with contextlib.closing(place.create()) as journal:
        journal.append("event", "one", "two")
        journal.append("marker", "three")
        journal.append("event", "four")
        JournalReplies(journal).keep(ReplyKey("task", 1, 0, "digest"), b"raw bytes")
        yield journal


def problems(place: Place, noted: str = "") -> str:
    return "; ".join(damage.text for damage in place.verdict(noted).damages)


def test_appended_rows_are_read_back_in_order(place: Place, journal: RunJournal) -> None:
    rows = [(entry.seq, entry.kind, entry.body) for entry in journal.entries()]
    assert rows[:4] == [(1, "event", "one"), (2, "event", "two"), (3, "marker", "three"), (4, "event", "four")]
    assert rows[4][:2] == (5, "reply")
    assert problems(place) == ""
    assert place.verdict().whole == 5


@pytest.mark.parametrize(
    "text", ["\0 nothing", "half a pair \ud800", "\U0001f512 \u202e", "x" * 2_000_000], ids=["nul", "half", "wide", "long"]
)
def test_any_text_comes_back_as_it_was(place: Place, journal: RunJournal, text: str) -> None:
    journal.append("marker", text)
    assert [entry.body for entry in journal.entries()][5] == text
    assert problems(place) == ""


def edit(text: str, *values: object) -> Callable[[Place], object]:
    return lambda place: place.edit(text, *values)


def rewritten_chain(place: Place) -> None:
    """A clever forger recomputes every hash after the change."""
    place.edit("UPDATE entries SET body = 'forged' WHERE seq = 2")
    before = genesis(place.run.id)
    for seq, at, kind, body in place.edit("SELECT seq, at, kind, body FROM entries ORDER BY seq"):
        text = body if isinstance(body, str) else bytes(body).decode()
        before = chained(before, seq, at, kind, text)
        place.edit("UPDATE entries SET hash = ? WHERE seq = ?", before, seq)


@pytest.mark.rule("R33", "X18")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (edit("UPDATE entries SET body = 'forged' WHERE seq = 2"), "row 2 or an earlier row was changed"),
        (edit("UPDATE entries SET at = 'never' WHERE seq = 1"), "row 1 or an earlier row was changed"),
        (edit("UPDATE entries SET kind = 'event' WHERE seq = 3"), "row 3 or an earlier row was changed"),
        (edit("UPDATE entries SET body = ? WHERE seq = 3", b"\xff"), "damaged"),
        (edit("DELETE FROM entries WHERE seq = 2"), "row 2 is missing"),
        (edit("DELETE FROM entries WHERE seq = 5"), "raw reply that belongs to no row"),
        (edit("DELETE FROM entries WHERE seq >= 4"), "raw reply that belongs to no row"),
        (edit("UPDATE entries SET seq = 9 WHERE seq = 5"), "row 5 is missing"),
        (edit("UPDATE entries SET hash = CASE seq WHEN 1 THEN 'two' ELSE 'one' END WHERE seq < 3"), "row 1 or an earlier"),
        (edit("INSERT INTO entries VALUES (6, 't', 'event', 'extra', 'x')"), "row 6 or an earlier row was changed"),
        (edit("UPDATE replies SET raw = ?", b"\0"), "raw reply of row 5 was changed"),
        (edit("DELETE FROM replies"), "raw reply of row 5 is missing"),
        (edit("INSERT INTO replies VALUES (2, ?)", b"\0"), ""),
    ],
    ids=[
        "edit", "time", "kind", "type", "remove", "cut with reply", "cut more", "renumber", "reorder", "append", "reply edited",
        "reply removed", "reply of no reply",
    ],
)  # fmt: skip
def test_tampering_shows(place: Place, journal: RunJournal, change: Callable[[Place], object], says: str) -> None:
    change(place)
    assert problems(place)
    assert says in problems(place)


@pytest.mark.rule("X18")
@pytest.mark.parametrize("kept", [0, 1, 2, 3, 4])
def test_a_cut_journal_shows_whatever_is_left_of_it(place: Place, journal: RunJournal, kept: int) -> None:
    place.edit("DELETE FROM entries WHERE seq > ?", kept)
    place.edit("DELETE FROM replies WHERE seq > ?", kept)
    assert f"was truncated: its head was row 5, the last row now is {kept}" in problems(place)


@pytest.mark.rule("X18")
def test_a_whole_rewritten_chain_shows_against_the_head_outside(place: Place, journal: RunJournal) -> None:
    rewritten_chain(place)
    assert "replaced" in problems(place)


@pytest.mark.rule("X18")
def test_one_properly_chained_row_behind_the_heads_back_shows(place: Place, journal: RunJournal) -> None:
    seq, before = journal.head
    added = chained(before, seq + 1, "t", "event", "forged")
    place.edit("INSERT INTO entries VALUES (?, 't', 'event', 'forged', ?)", seq + 1, added)
    assert "without updating the head" in problems(place)


@pytest.mark.rule("X18")
def test_a_forged_head_is_detected_by_a_head_noted_elsewhere(place: Place, journal: RunJournal) -> None:
    noted = journal.head[1]
    rewritten_chain(place)
    [(last,)] = place.edit("SELECT hash FROM entries WHERE seq = 5")
    place.forge_head((5, last))
    assert problems(place) == ""
    assert "head that you noted" in problems(place, noted)


@pytest.mark.rule("X18")
def test_the_receipt_must_name_a_head_of_this_journal(place: Place, journal: RunJournal) -> None:
    seq, head = journal.head
    receipt = place.run.path / "receipt.json"
    receipt.write_text(f'{{"journal": {{"entries": {seq}, "head": "{head}"}}}}')
    assert problems(place) == ""
    receipt.write_text(f'{{"journal": {{"entries": {seq}, "head": "{"0" * 64}"}}}}')
    assert "receipt names a head" in problems(place)
    receipt.write_text("[]")
    assert "receipt is not readable" in problems(place)


@pytest.mark.rule("X18", "F15")
def test_a_second_writer_is_refused_and_nothing_interleaves(place: Place, journal: RunJournal) -> None:
    """Two processes that both think they drive the run, as if the lock had failed."""
    with contextlib.closing(place.open()) as second:
        journal.append("event", "first was quicker")
        with pytest.raises(JournalError, match="another process wrote"):
            second.append("event", "second is late")
        journal.append("event", "first goes on")
    assert problems(place) == ""
    assert [entry.body for entry in journal.entries()][5:] == ["first was quicker", "first goes on"]


@pytest.mark.rule("X18", "F15")
def test_a_second_writer_after_a_cut_is_refused_too(place: Place, journal: RunJournal) -> None:
    place.edit("DELETE FROM entries WHERE seq > 3")
    with pytest.raises(JournalError, match="another process wrote"):
        journal.append("event", "into the gap")


@pytest.mark.rule("F17")
def test_a_clock_that_jumps_back_harms_nothing(place: Place) -> None:
    class Jumping:
        times = iter(["2030-01-01", "1970-01-01", "2030-01-01", "1999-12-31"])

        def now(self) -> str:
            return next(self.times)

    with contextlib.closing(place.create(Jumping())) as journal:
        for text in ("a", "b", "c", "d"):
            journal.append("event", text)
        assert [entry.body for entry in journal.entries()] == ["a", "b", "c", "d"]
    assert problems(place) == ""
