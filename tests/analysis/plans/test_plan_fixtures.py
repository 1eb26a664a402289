"""Fixtures that tests of a plan ask for and cannot get."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence, Grade
from counterproof.analysis.plans.examination import examine

SEEN = "tests/web/conftest.py:5"
FILES = {
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef till():\n    return []\n",
    "tests/web/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef web_till():\n    return []\n",
}
LEAD = "- Modify: `tests/test_cart.py`\n\nAdd to `tests/test_cart.py`:"


def block(code: str, lead: str = LEAD) -> str:
    return f"{lead}\n\n```python\n{code}\n```\n\n"


def raised(folder: Path, text: str, **more: str) -> list[Doubt]:
    found = examine(bench(shop(folder, **FILES, **more), f"# A plan\n\n{text}\n").case)
    return [each for each in found if each.kind is Kind.UNBOUND]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("code", "name", "place"),
    [
        ("def test_it(web_till):\n    assert web_till", "web_till", SEEN),
        (
            "class TestIt:\n    def test_it(self, web_till):\n        assert 1",
            "web_till",
            "tests/web/conftest.py:5",
        ),
        ("def test_it(till, filled_shelf):\n    assert till", "filled_shelf", "plan:8"),
    ],
)
def test_a_fixture_that_a_test_cannot_get_is_doubted(tmp_path: Path, code: str, name: str, place: str) -> None:
    (doubt,) = raised(tmp_path, block(code))
    assert (doubt.subject, doubt.evidence, doubt.grade, doubt.places) == (name, Evidence.UNSEEN_FIXTURE, Grade.ASKED, (place,))


FIXTURE = "import pytest\n\n\n@pytest.fixture\ndef filled_shelf():\n    return []\n"
ASKS = block("def test_it(filled_shelf):\n    assert filled_shelf")
GIVEN = [
    block("def test_it(till, tmp_path, mocker):\n    assert till"),
    block("def test_it(filled_shelf=1):\n    assert filled_shelf"),
    block("def check_it(filled_shelf):\n    assert filled_shelf"),
    block("@patch('shop.cart')\ndef test_it(filled_shelf):\n    assert filled_shelf"),
    block("class TestIt(Base):\n    def test_it(self, filled_shelf):\n        assert filled_shelf"),
    block("@pytest.mark.parametrize('filled_shelf, rest', [])\ndef test_it(filled_shelf, rest):\n    assert filled_shelf"),
    ASKS + block(FIXTURE, "- Modify: `tests/conftest.py`\n\nIn `tests/conftest.py`:"),
    ASKS + block(FIXTURE),
    ASKS + "`filled_shelf` is a fixture.",
    block(
        "def test_it(web_till):\n    assert web_till", "- Create: `tests/web/test_till.py`\n\nCreate `tests/web/test_till.py`:"
    ),
]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("text", GIVEN)
def test_a_fixture_that_a_test_may_get_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert [each for each in raised(tmp_path, text) if "fixture" in each.scenario] == []


@pytest.mark.rule("P17")
def test_plugins_of_the_project_may_bring_any_fixture(tmp_path: Path) -> None:
    assert raised(tmp_path, ASKS, **{"conftest.py": 'pytest_plugins = ["shop.shelves"]\n'}) == []
