"""Interfaces that a plan states with other parameters than its own code has; and those that may fit."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, is_firm, shop
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.examination import examine

BLOCKS = {
    "python": "def open_till(name, rows, size=3):\n    return name\n",
    "ts": "export const open_till = (name: string, rows: Row[], size = 3): Till => {\n  return name\n}\n",
    "go": "func open_till(name string, rows []Row) Till {\n\treturn name\n}\n",
    "rust": "pub fn open_till(name: &str, rows: Vec<Row>) -> Till {\n    name\n}\n",
}


def found(folder: Path, stated: str, code: str, language: str = "python") -> list[Doubt]:
    text = f"# A plan\n\nGoal: a till.\n\n### Task 1: Till\n\n{stated}\n\nWrite this:\n\n```{language}\n{code}\n```\n"
    case = bench(shop(folder), text).case
    return [each for each in examine(case) if each.kind is Kind.INTERFACE and is_firm(each)]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("language", sorted(BLOCKS))
@pytest.mark.parametrize(
    "stated",
    [
        "- Produces: `open_till(name)`",
        "- **Produces:** `open_till(given)` for Task 2",
        "- Consumes: `open_till(name, rows, size, more)`",
        "Exposes: `open_till(name: str) -> Till`",
    ],
)
def test_an_interface_that_the_code_does_not_have_stands(tmp_path: Path, language: str, stated: str) -> None:
    (doubt,) = found(tmp_path, stated, BLOCKS[language], language)
    assert doubt.subject.startswith("open_till(")
    assert doubt.lines == (7,)
    assert doubt.places == ("plan:12",)
    assert "name, rows" in doubt.concern


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "stated",
    [
        "- Produces: `open_till(name, rows)`",
        "- Produces: `open_till(name, rows, size)`",
        "- Produces: `open_till(name: str, rows: dict[str, int]) -> Till`",
        "- Produces: `open_till(self, name, rows)`",
        "- Produces: `open_till()`",
        "- Produces: `open_till(...)`",
        "- Produces: `open_till(name, …)`",
        "- Produces: `open_till(*rows)`",
        "- Produces: `open_till({ name, rows })`",
        "- Produces: `Ledger.open_till(name)`",
        "- Produces: `shut_till(name)`",
        "Until now everybody calls `open_till(name)`.",
    ],
)
def test_an_interface_that_may_be_meant_is_not_doubted(tmp_path: Path, stated: str) -> None:
    assert found(tmp_path, stated, BLOCKS["python"]) == []


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "code",
    [
        "def open_till(*names):\n    return names\n",
        "def open_till(name, rows, **more):\n    return name\n",
        "@wrapped\ndef open_till(name, rows):\n    return name\n",
        "class Till:\n    def open_till(self, name, rows):\n        return name\n",
        "def open_till(name, rows):\n    return name\n```\n\nLater:\n\n```python\ndef open_till(name):\n    return name\n",
    ],
    ids=range(5),
)
def test_code_that_may_take_what_is_stated_is_not_doubted(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, "- Produces: `open_till(name)`", code) == []


@pytest.mark.rule("P20")
@pytest.mark.parametrize(("label", "count"), [("Consumes: existing", 0), ("Produces:", 1)])
def test_what_a_step_takes_over_is_as_the_repository_has_it(tmp_path: Path, label: str, count: int) -> None:
    code = "def old_total(cart, tax):\n    return tax\n"
    assert len(found(tmp_path, f"- {label} `old_total(cart)`", code)) == count
