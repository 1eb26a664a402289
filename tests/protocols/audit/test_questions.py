"""What a model's hunters are asked (A61, A63): the plain question, what it left, narrow tasks where a program is large."""

from dataclasses import replace

import pytest

from counterproof.model.contract import AgentReply, AgentTask, Ask, Role
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.ledger import Item, Ledger
from counterproof.model.location import at
from counterproof.model.openitem import Answered, ItemKind
from counterproof.model.recon import Recon
from counterproof.model.survey import SourceFile, Survey
from counterproof.protocols.audit.events import AgentFinished
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.questions import PER_HUNTER, TOPICS, Shape, shape_of
from counterproof.protocols.audit.request import AuditRequest
from protocols.audit.cast import Part, play_on, waiting
from protocols.audit.play import Play, a_file, a_finding, a_recon, a_survey, an_entry, finished

HUNTERS = (Role.HUNTER,)


def sized(tokens: int, path: str = "app.py") -> SourceFile:
    return replace(a_file(path), size=3 * tokens)


def surveyed(*files: SourceFile) -> Survey:
    return a_survey(*files)


def hunting(survey: Survey, recon: Recon | None = None) -> Play:
    """A standard audit with hunters of a model, up to the hunt."""
    return Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True, models=HUNTERS)).until_hunting(survey, recon)


def asked(play: Play, ask: Ask) -> list[AgentTask]:
    return [task for task in play.state.tasks if task.ask is ask]


def hunted(play: Play, answer: Part) -> Play:
    """The first questions answered; analysts do their part."""
    return play_on(play, hunter=lambda task: answer(task) if task.model else finished(task))


@pytest.mark.rule("A61")
@pytest.mark.parametrize(
    ("tokens", "window", "shape"),
    [
        (59_000, 200_000, Shape.SMALL),
        (59_000, 100_000, Shape.MIDDLE),
        (61_000, 200_000, Shape.MIDDLE),
        (250_000, 200_000, Shape.MIDDLE),
        (251_000, 200_000, Shape.LARGE),
    ],
)
def test_shape_follows_from_the_source_and_the_window(tokens: int, window: int, shape: Shape) -> None:
    assert shape_of(surveyed(sized(tokens)), a_recon(), window) is shape


@pytest.mark.rule("A61")
def test_shape_with_a_map_that_fills_the_window_is_large() -> None:
    doors = tuple(an_entry(line=number) for number in range(1, 3_000))
    assert shape_of(surveyed(sized(100_000)), a_recon(entry_points=doors), 200_000) is Shape.LARGE


@pytest.mark.rule("A61")
@pytest.mark.parametrize(("tokens", "whole"), [(20_000, True), (100_000, False)])
def test_small_and_middle_hunts_begin_with_the_plain_question_alone(tokens: int, whole: bool) -> None:
    play = hunting(surveyed(sized(tokens)))
    models = [task for task in waiting(play) if task.model]
    assert [(task.ask, task.whole, task.dimensions) for task in models] == [(Ask.PLAIN, whole, ALL_DIMENSIONS)]
    assert not any(task.hits or task.findings or task.open_items for task in models)


@pytest.mark.rule("A61")
def test_large_hunts_are_a_queue_of_topics_and_scopes_most_exposed_first() -> None:
    files = (sized(400_000, "calm/a.py"), sized(400_000, "open/b.py"))
    recon = a_recon(entry_points=(an_entry("open/b.py"),))
    play = hunting(surveyed(*files), recon)
    tasks = asked(play, Ask.NARROW)
    assert [task.topic for task in tasks[: len(TOPICS)]] == [topic.name for topic in TOPICS]
    assert tasks[0].scope == ("open/b.py",)
    assert len(tasks) <= PER_HUNTER * 5
    assert {each for task in tasks for each in task.dimensions} == set(ALL_DIMENSIONS)


@pytest.mark.rule("A61")
def test_items_that_no_statement_names_are_asked_once_each() -> None:
    doors = (an_entry(line=10), an_entry(line=40))
    play = hunting(surveyed(sized(20_000)), a_recon(entry_points=doors))
    play = hunted(play, lambda task: finished(task, a_finding(line=12)) if task.ask is Ask.PLAIN else finished(task))
    (left,) = asked(play, Ask.LEFT)
    entries = [item.at for item in left.open_items if item.kind is ItemKind.ENTRY]
    assert entries == [at("app.py", 40)], "the other one is where the finding is"
    assert left.stated == ("CWE-89 at app.py:12",)


@pytest.mark.rule("A61", "A63")
def test_settings_on_record_are_named_in_what_is_left() -> None:
    item = Item(Dimension.D8, "debug", at("settings.py", 3), True, "weak")

    def answer(task: AgentTask) -> AgentFinished:
        return finished(task, ledger=Ledger(items=(item,))) if not task.model else finished(task)

    play = play_on(hunting(surveyed(sized(20_000))), hunter=answer)
    (left,) = asked(play, Ask.LEFT)
    assert [(each.name, each.at) for each in left.open_items if each.kind is ItemKind.SETTING][:1] == [
        ("S1", at("settings.py", 3))
    ]


@pytest.mark.rule("A61")
def test_nothing_is_asked_for_a_second_time_when_the_first_answer_named_it() -> None:
    def answer(task: AgentTask) -> AgentFinished:
        done = finished(task)
        reply: AgentReply = replace(done.reply, answers=(Answered("E1", at("app.py", 10), "safe"),))
        return replace(done, reply=reply, ledger=done.ledger + Ledger(reads=done.ledger.reads))

    play = hunted(hunting(surveyed(sized(20_000))), answer)
    left = asked(play, Ask.LEFT)
    assert not any(item.kind is ItemKind.ENTRY for task in left for item in task.open_items)
