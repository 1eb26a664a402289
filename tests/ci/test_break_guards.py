"""Which guards a change concerns, what is wrong with the list of guards, and what counts as noticing."""

from datetime import date, timedelta
from pathlib import Path

import failure_kinds
import pytest
import rule_marks

import guards
from guards import Guard

GUARD = Guard("A1", "src/counterproof/model/text.py", "old", "new", "tests/model/test_text.py::test_a[x]")


@pytest.mark.parametrize(
    ("file", "concerned"),
    [
        ("src/counterproof/model/text.py", True),
        ("tests/model/test_text.py", True),
        ("tests/conftest.py", True),
        ("tests/model/conftest.py", True),
        ("scripts/swap_code.py", True),
        ("tests/fleet/conftest.py", False),
        ("src/counterproof/model/plan.py", False),
    ],
)
def test_concerns_a_guard_by_its_source_its_test_and_what_tests_share(file: str, concerned: bool) -> None:
    assert guards.concerns({file, "README.md"}, GUARD) is concerned


def test_parts_of_many_days_have_every_guard() -> None:
    days = [date(2026, 1, 1) + timedelta(days) for days in range(100)]
    rules = [Guard(f"A{number}", "", "", "", "") for number in range(60)]
    assert all(any(guards.in_part(guard, day) for day in days) for guard in rules)
    assert all(sum(guards.in_part(guard, day) for guard in rules) < len(rules) / 2 for day in days)


def test_an_entry_without_its_code_or_its_test_is_a_problem() -> None:
    guard = Guard("A1", "pyproject.toml", "no such line", "", "tests/model/test_text.py::test_a[x]")
    known = {"A1": ["tests/model/test_text.py::test_a"], "A2": ["tests/model/test_text.py::test_b"]}
    found = [each.partition(",")[0] for each in guards.find_problems([guard], known)]
    assert found == ["A2: held by tests but no guard is listed", "A1: the guard stands 0 times in pyproject.toml"]
    assert "names tests/model/test_text.py::test_a[x]" in list(guards.find_problems([guard], {}))[1]


FAILING = """
import pytest
from counterproof.model.errors import InvalidValue

def sized(rows):
    raise ValueError("too many values to unpack (expected 1)") if False else NameError("rows")

@pytest.fixture
def broken():
    assert False

def test_passed(): pass
def test_assertion(): assert 1 == 2
def test_assertion_of_what_did_not_come():
    with pytest.raises(KeyError):
        pass
def test_assertion_of_how_many():
    (one,) = [1, 2]
def test_error_of_the_fixture(broken): pass
def test_assertion_of_the_package(): raise InvalidValue("no such severity")
def test_error_of_a_name(): sized([])
def test_error_of_the_code(): int("x")
def test_skipped(): pytest.skip("no browser")
"""


def test_an_error_is_no_assertion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, written = tmp_path / "test_every_kind_of_failure.py", tmp_path / "kinds"
    file.write_text(FAILING, encoding="utf-8")
    monkeypatch.setattr(failure_kinds, "TESTS", tmp_path)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", "/dev/null", f"--rootdir={tmp_path}", str(file)]
    pytest.main(options, plugins=[failure_kinds.Recorder(written)])
    found = {each["test"].partition("::test_")[2]: each["kind"] for each in failure_kinds.read(written)}
    assert len(found) == 9
    assert {name: kind for name, kind in found.items() if not name.startswith(kind)} == {}


def test_a_rule_that_only_nightly_tests_hold_is_named(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_rules.py").write_text(
        "import pytest\n"
        '@pytest.mark.rule("A1")\n@pytest.mark.nightly\ndef test_rare(): ...\n'
        '@pytest.mark.rule("A2")\n@pytest.mark.nightly\ndef test_also_rare(): ...\n'
        '@pytest.mark.rule("A2")\n@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.nightly)])\n'
        "def test_often(x): ...\n",
        encoding="utf-8",
    )
    assert rule_marks.rules_held_only_at_night(tmp_path) == ["A1"]
