"""What fits into a pack: the most valuable first, in tokens, the shared part apart from the task's."""

from hypothesis import given
from hypothesis import strategies as st

from counterproof.agents.context import Pack, Piece, Room, Section, Shown, assembled, tokens
from counterproof.agents.models.channel import Question
from counterproof.agents.models.talk import Asked, Talk
from counterproof.agents.models.tuning import Tuning
from counterproof.protocols.guard.isolation import Category

LINE = "word " * 40


def a_section(title: str, *pieces: Piece, value: int = 50, **more: object) -> Section:
    return Section(title, Category.CODE, pieces, value, **more)  # type: ignore[arg-type]


def test_the_most_valuable_pieces_are_selected_and_keep_their_order() -> None:
    low = a_section("Low:", *(Piece(f"low {n} {LINE}") for n in range(20)), value=10)
    high = a_section("High:", Piece(f"b {LINE}", 1), Piece(f"a {LINE}", 9), value=90)
    pack = assembled((low, high), Room(0, 600))
    shown = {each.title.partition(":")[0]: each for each in pack.task}
    assert [line[:1] for line in shown["High"].bodies[0].split("\n")] == ["b", "a"]
    assert 0 < shown["Low"].left_out < 20
    assert shown["Low"].bodies[0].startswith("low 0 ")
    assert f"({shown['Low'].left_out} of 20 left out for want of room)" in shown["Low"].title


def test_omitted_pieces_are_reported_with_the_way_to_get_them() -> None:
    pack = assembled((a_section("Files:", Piece(LINE), rest="`glob` lists them"),), Room(0, 10))
    assert pack.task[0].title == "Files: (1 of 1 left out for want of room; `glob` lists them)"
    assert pack.task[0].bodies == ()


def test_a_section_keeps_to_its_own_bound() -> None:
    greedy = a_section("Greedy:", *(Piece(f"{n} {LINE}") for n in range(30)), value=90, most=400)
    modest = a_section("Modest:", Piece("small"), value=10)
    pack = assembled((greedy, modest), Room(0, 100_000))
    assert pack.task[0].tokens <= 400
    assert pack.task[1].left_out == 0


def test_an_empty_section_is_mentioned_only_where_that_says_something() -> None:
    pack = assembled((a_section("Entry points:", none="none were found."), a_section("Notes:")), Room(0, 1_000))
    assert [each.title for each in pack.task] == ["Entry points: none were found."]


def test_lines_shown_are_those_of_pieces_taken() -> None:
    here, there = Shown("a.py", 1, 3), Shown("b.py", 1, 900)
    pieces = (Piece("x", shows=(here,)), Piece(LINE * 100, shows=(there,)))
    assert assembled((a_section("Code:", *pieces),), Room(0, 300)).shows == (here,)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.lists(st.text("ab c\n1", max_size=300), max_size=6)), max_size=5),
    st.integers(0, 2_000),
)
def test_no_room_is_exceeded(given_sections: list[tuple[int, list[str]]], room: int) -> None:
    sections = tuple(a_section("S:", *(Piece(text) for text in texts), value=value) for value, texts in given_sections)
    pack = assembled(sections, Room(0, room))
    assert sum(tokens(body) for each in pack.task for body in each.bodies) <= room
    assert sum(each.left_out for each in pack.task) + sum(bool(each.bodies) for each in pack.task) >= sum(
        bool(each.pieces) for each in sections
    )


def a_question(pack: Pack, task: str, with_tools: bool = True) -> Question:
    asked = Asked(task, 1, "You are a tester.", (), "{}", "", (f"You are {task}.",), tuning=Tuning(100, 400))
    return Talk(asked, pack, lambda _: "cp-x").question(with_tools)


def test_the_shared_part_comes_first_and_is_byte_identical() -> None:
    shared = a_section("The project:", Piece("map"), shared=True)
    packs = [assembled((shared, a_section("Mine:", Piece(f"{n} {LINE * n}"))), Room(500, 5_000)) for n in (1, 9)]
    first, second = (a_question(pack, f"agent-{n}") for n, pack in enumerate(packs))
    assert first.stable == second.stable == 1
    assert first.system == second.system
    assert first.messages[0] == second.messages[0]
    assert first.messages[1] != second.messages[1]
    assert "You are agent-0." in first.messages[1].text


def test_the_marks_of_a_task_depend_on_what_was_shared() -> None:
    own = a_section("Mine:", Piece("the same"))
    one, other = (assembled((a_section("The project:", Piece(text), shared=True), own), Room(500, 500)) for text in ("a", "b"))
    assert a_question(one, "agent").messages[1] != a_question(other, "agent").messages[1]


def test_a_tight_budget_or_window_leaves_less_room_in_the_same_shares() -> None:
    room = Room(30_000, 10_000)
    assert room.within(None) == room.within(10_000_000) == room
    assert room.within(120_000) == Room(7_500, 2_500)
    assert room.within(10) == Room(1_500, 500)
    assert room.at_most(Tuning(window=32_000).opening) == Room(9_525, 3_175)
    assert room.at_most(Tuning().opening) == room


def test_an_answer_that_was_cut_off_may_be_longer_up_to_the_ceiling() -> None:
    talk = Talk(Asked("t", 1, "s", (), "{}", "", ("hello",), tuning=Tuning(100, 350)), Pack(), lambda _: "cp-x")
    assert [talk.widen(), talk.widen(), talk.widen()] == [True, True, False]
    assert talk.question(with_tools=False).max_output == 350
