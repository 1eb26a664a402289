"""Code swapped in memory is swapped for every importer; unswappable code is reported as such."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
OLD = """
from functools import cache

LIMIT = 3


class Gate:
    limit = LIMIT

    @property
    def closed(self):
        return self.limit > 2


@cache
def allowed(value, most=LIMIT):
    return [each for each in value if each < most]
"""


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    made = ModuleType("gate")
    exec(compile(OLD, str(tmp_path / "gate.py"), "exec"), vars(made))
    vars(made)["file"] = str(tmp_path / "gate.py")
    return made


def swapped(module: ModuleType, new: str) -> bool:
    import swap_code  # pyright: ignore[reportMissingImports]

    return swap_code.swap(swap_code.functions(), module.file, OLD, new)


def test_methods_and_decorated_functions_run_as_the_new_text_says(module: ModuleType) -> None:
    imported = module.allowed
    assert swapped(module, OLD.replace("> 2", "> 9").replace("each < most", "each == most"))
    assert (module.Gate().closed, imported((1, 2, 3))) == (False, [3])


@pytest.mark.parametrize(
    ("old", "new"), [("LIMIT = 3", "LIMIT = 4"), ("limit = LIMIT", "limit = 2"), ("most=LIMIT", "most=1"), ("@cache\n", "")]
)
def test_what_runs_at_import_is_not_swapped(module: ModuleType, old: str, new: str) -> None:
    assert not swapped(module, OLD.replace(old, new))


def test_lines_that_moved_are_no_difference(module: ModuleType) -> None:
    before = module.Gate.closed.fget.__code__
    assert swapped(module, "\n\n" + OLD)
    assert module.Gate.closed.fget.__code__ is before


def teardown_module() -> None:
    sys.modules.pop("swap_code", None)
