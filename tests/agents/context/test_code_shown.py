"""The code of an opening: every line once, and for a validator as much as its places need."""

import re
from collections import Counter
from pathlib import Path

import pytest

from agents.models_loop.modelling import a_model_task, a_target, tools_for
from counterproof.agents.context import audit as shown
from counterproof.agents.context.sections import Section
from counterproof.model.contract import AgentTask, Ask, Role
from counterproof.model.location import at
from protocols.audit.play import a_finding

SETTINGS = "".join(f"VALUE_{number} = {number}\n" for number in range(1, 121))


def sections(root: Path, lines: tuple[int, ...], **fields: object) -> tuple[AgentTask, tuple[Section, ...]]:
    findings = tuple(a_finding(line, location=at("settings.py", line)) for line in lines)
    task = a_model_task(findings=findings, **fields)
    return task, shown.sections_of(task, tools_for(root, task))


def lines_of(given: tuple[Section, ...]) -> Counter[tuple[str, str]]:
    """Lines of code with their paths, and how often each appears."""
    found = Counter[tuple[str, str]]()
    for piece in (piece for section in given for piece in section.pieces if piece.shows):
        found.update((piece.shows[0].path, number) for number in re.findall(r"^(\d+) ", piece.text, re.MULTILINE))
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return a_target(tmp_path, {"settings.py": SETTINGS})


@pytest.mark.rule("A61")
@pytest.mark.parametrize("role", [Role.VALIDATOR, Role.DEEP_DIVER])
def test_lines_around_neighbouring_places_are_shown_once(root: Path, role: Role) -> None:
    _, given = sections(root, (30, 32, 40, 41, 55), role=role)
    found = lines_of(given)
    assert {("settings.py", str(number)) for number in range(10, 76)} <= set(found)
    assert set(found.values()) == {1}


@pytest.mark.rule("A61")
def test_open_questions_are_shown_with_their_own_code_alone(root: Path) -> None:
    _, blind = sections(root, (30,), role=Role.VALIDATOR)
    _, asked = sections(root, (30,), role=Role.VALIDATOR, ask=Ask.QUESTIONS)
    more = {"The heads of their files:", "Who calls it, matched by name:", "Whom it calls, matched by name:"}
    assert more <= {each.title for each in blind}
    assert not more & {each.title for each in asked}


@pytest.mark.rule("A61")
def test_room_of_a_validator_grows_with_its_places(root: Path) -> None:
    def room(count: int, ask: Ask) -> int:
        task, _ = sections(root, tuple(range(10, 10 + count)), role=Role.VALIDATOR, ask=ask)
        return shown.room_of(task, tools_for(root, task)).task

    assert [room(count, Ask.ASSIGNED) for count in (1, 5, 40)] == [2_700, 5_500, 20_000]
    assert [room(count, Ask.QUESTIONS) for count in (1, 5, 40)] == [2_400, 4_000, 18_000]
