"""A finding is demonstrated by an effect that the engine saw, and by nothing else (A66)."""

import textwrap
from pathlib import Path

import pytest

from counterproof.demonstration.actions import INPUT, Call
from counterproof.demonstration.course import Subject
from counterproof.demonstration.demonstrate import Shown, Unshown, demonstrate
from counterproof.demonstration.subjects import PYTHON
from counterproof.demonstration.targets import calls_of, python_for
from counterproof.demonstration.templates import templates_for
from demonstration.here import needs_sandbox
from demonstration.twins import ANY_NEW_PATH, ANY_PATH, TWINS

pytestmark = pytest.mark.rule("A66")


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    needs_sandbox()


def tried(folder: Path, rule: str, code: str, seconds: float = 60) -> Shown | Unshown:
    (folder / "files").mkdir(parents=True, exist_ok=True)
    (folder / "target.py").write_text(code)
    actions = (Call(":target", "f", (INPUT,)),)
    start = {"do": "load", "module": ":target"}
    subject = Subject(folder, python_for(folder, None), PYTHON, start, actions, templates_for(rule, "python"))
    return demonstrate(subject, seconds)


@pytest.mark.parametrize("name", TWINS)
def test_a_vulnerable_function_shows_its_effect(name: str, tmp_path: Path) -> None:
    rule, effect, vulnerable, _ = TWINS[name]
    shown = tried(tmp_path, rule, vulnerable)
    assert isinstance(shown, Shown), shown
    assert shown.effect is effect


RARE = ("code", "write", "load", "count")
"""Twins whose effect another one has too."""


@pytest.mark.parametrize("name", [pytest.param(each, marks=pytest.mark.nightly if each in RARE else ()) for each in TWINS])
def test_its_fixed_twin_shows_none(name: str, tmp_path: Path) -> None:
    rule, _, _, fixed = TWINS[name]
    unshown = tried(tmp_path, rule, fixed, 45)
    assert isinstance(unshown, Unshown), unshown
    assert unshown.started


def test_an_effect_that_a_benign_input_has_too_shows_nothing(tmp_path: Path) -> None:
    """A function whose purpose is to create the named file: no command is injected."""
    code = """
def f(path):
    for word in path.split():
        if word.startswith('/marks/'):
            open(word, 'w').close()
"""
    assert isinstance(tried(tmp_path, "command-injection", code), Unshown)
    multiplies = "import math, re\ndef f(text):\n    return str(math.prod(map(int, re.findall(r'[0-9]{5}', text))))\n"
    assert isinstance(tried(tmp_path, "template-injection", multiplies), Unshown)


@pytest.mark.parametrize("code", [ANY_PATH, ANY_NEW_PATH], ids=["reads", "writes"])
def test_a_function_that_takes_any_path_leaves_no_folder(code: str, tmp_path: Path) -> None:
    unshown = tried(tmp_path, "path-traversal", code)
    assert isinstance(unshown, Unshown), unshown


def test_an_answer_that_repeats_the_input_shows_nothing(tmp_path: Path) -> None:
    code = "def f(text):\n    return 'You said ' + text\n"
    for rule in ("template-injection", "path-traversal", "sql-injection", "ssrf"):
        assert isinstance(tried(tmp_path, rule, code, 45), Unshown), rule


def test_a_function_that_is_slow_at_everything_shows_nothing(tmp_path: Path) -> None:
    code = "import time\ndef f(text):\n    time.sleep(len(text) / 50_000)\n"
    assert isinstance(tried(tmp_path, "regex-denial", code, 10), Unshown)


def test_a_target_that_does_not_start_is_a_note(tmp_path: Path) -> None:
    came = tried(tmp_path, "command-injection", "import no_such_package\ndef f(name):\n    pass\n")
    assert isinstance(came, Unshown)
    assert "no_such_package" in came.reason


def test_a_function_that_does_not_return_is_given_up_after_its_control(tmp_path: Path) -> None:
    came = tried(tmp_path, "header-injection", "import time\ndef f(text):\n    time.sleep(3_600)\n")
    assert came == Unshown("no effect was seen: a harmless input was not answered", started=True)


def test_a_call_is_put_together_from_the_signature(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").write_text("")
    code = """
    class Store:
        def __init__(self, path, limit=3):
            self.path = path

        def find(self, count: int, name, then, about, place, mode="r"):
            then(about["mode"])
            return name
    """
    (tmp_path / "shop" / "store.py").write_text(textwrap.dedent(code))
    first, *_ = calls_of(tmp_path, "shop/store.py", 6, "name")
    assert first == Call(":shop.store", "Store.find", (1, INPUT, {"$callable": ""}, {}, "/tmp"), (("path", "/tmp"),))
