"""Lowering shared by two processes: every module once, the same as without the other, whatever the other does."""

import os
import pickle
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.analysis.syntax.python import lower
from counterproof.analysis.workers.together import Together, nameless
from counterproof.model.survey import Language

SHOP = Path(__file__).parents[3] / "examples" / "shop"
FILES = Project(SHOP, survey(SHOP, SurveyOptions())).of_language(Language.PYTHON)


def _project() -> Project:
    return Project(SHOP, survey(SHOP, SurveyOptions()))


def _stops_after(count: int) -> Project:
    left = iter(range(count))

    def checkpoint() -> None:
        if next(left, None) is None:
            raise OutOfTime("the time limit was reached")

    project = _project()
    project.checkpoint = checkpoint
    return project


@pytest.fixture
def lines() -> Iterator[tuple[int, int]]:
    """Two files; each user of them gets descriptors of its own, as a process does."""
    front, back = nameless(), nameless()
    yield front, back
    os.close(front)
    os.close(back)


def _front(project: Project, lines: tuple[int, int]) -> Together:
    return Together(project, os.dup(lines[0]), os.dup(lines[1]))


def _back(project: Project, lines: tuple[int, int]) -> Together:
    return Together(project, os.dup(lines[1]), os.dup(lines[0]), backwards=True)


def _lowered(path: str) -> str:
    return repr(lower(path, _project().text(path)))


def test_two_lower_every_file_once_and_both_have_all(lines: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    alone = {file.path: _lowered(file.path) for file in FILES}
    taken: list[str] = []

    def noted(path: str, text: str) -> object:
        taken.append(path)
        return lower(path, text)

    monkeypatch.setattr("counterproof.analysis.syntax.python.lower", noted)
    back, front = _back(_stops_after(3), lines), _front(_project(), lines)
    for each in (back, front, back):
        each.module(FILES[0].path)
    assert taken == [*(file.path for file in FILES[:-4:-1]), *(file.path for file in FILES[:-3])]
    packed = {path: front.packed(path) for path in alone}
    assert packed == {path: back.packed(path) for path in alone}
    assert {path: repr(pickle.loads(body)) for path, body in packed.items() if body} == alone
    assert {path: repr(front.module(path)) for path in list(alone)[1:]} == {path: alone[path] for path in list(alone)[1:]}


def test_what_the_other_has_not_written_as_a_whole_or_not_truly_is_not_taken(lines: tuple[int, int]) -> None:
    path = FILES[-1].path
    wrong = (
        pickle.dumps(os.getcwd),
        pickle.dumps(path),
        b"no pickle",
        pickle.dumps(lower("other.py", "")),
    )
    for body in wrong:
        os.truncate(lines[1], 0)
        os.pwrite(lines[1], struct.pack(">IQ", len(FILES) - 1, len(body)) + body, 0)
        assert _front(_stops_after(0), lines).module(path) is None
    whole = pickle.dumps(lower(path, _project().text(path)))
    message = struct.pack(">IQ", 10**6, 2) + b"xx" + struct.pack(">IQ", len(FILES) - 1, len(whole)) + whole
    front = _front(_stops_after(0), lines)
    os.truncate(lines[1], 0)
    for end in (5, 14, 20, 100, len(message) - 1):
        os.pwrite(lines[1], message[:end], 0)
        assert front.module(path) is None
    os.pwrite(lines[1], message, 0)
    assert repr(front.module(path)) == _lowered(path)
    os.pwrite(lines[1], struct.pack(">IQ", 0, 1 << 60), len(message))
    assert front.module(FILES[0].path) is None
