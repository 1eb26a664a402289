"""Claims, removals of files and modules, options, and tests that do not reach the change."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.bodies import function_text
from counterproof.analysis.plans.examination import examine

MORE = {
    "shop/mail/__init__.py": "",
    "shop/mail/letters.py": "def letter():\n    return ''\n",
    "shop/notify.py": "from .mail import (\n    letters,\n)\n\n\ndef notify(name):\n    return letters.letter() + name\n",
    "shop/templates.py": 'PAGE = "pages/cart.html"\n',
    "shop/pages/cart.html": "<p></p>\n",
    "web/api.js": "export const api = 1\n",
    "web/app.js": "import { api } from './api'\n",
    "shop/checked.py": "def checked(name):\n    if not name:\n        raise ValueError\n    return name\n",
    "shop/cli.py": "import argparse\n\n\ndef options(parser):\n    parser.add_argument('--dry-run')\n",
}


def found(folder: Path, *lines: str) -> list[tuple[str, str]]:
    text = "\n".join(("# P", "", *(f"{number}. {line}" for number, line in enumerate(lines, 1)), ""))
    return [(each.kind.name, each.subject) for each in examine(bench(shop(folder, **MORE), text).case)]


@pytest.mark.parametrize(
    ("line", "subject"),
    [
        ("Delete `shop/mail/letters.py`.", "shop/mail/letters.py"),
        ("Remove the `shop/mail/` package; nothing uses it any more.", "shop/mail/"),
        ("Remove the module `shop.prices`. It is dead code.", "shop.prices"),
        ("Delete `shop/pages/cart.html`.", "shop/pages/cart.html"),
        ("Delete `web/api.js`.", "web/api.js"),
    ],
)
def test_a_file_that_others_lean_on_is_not_removed_unseen(tmp_path: Path, line: str, subject: str) -> None:
    assert found(tmp_path, line) == [("REMOVAL", subject)]


@pytest.mark.parametrize(
    "lines",
    [
        ("Delete `shop/mail/letters.py` and change `shop/notify.py`.",),
        ("Remove the `shop/mail/` package and delete `shop/notify.py`.",),
        ("Delete `shop/report.py`; nothing uses it.",),
        ("Change `shop/report.py` to call `total_price()`.", "Remove `old_total()`. Nothing uses it any more."),
    ],
)
def test_what_the_plan_takes_care_of_is_no_doubt(tmp_path: Path, lines: tuple[str, ...]) -> None:
    assert found(tmp_path, *lines) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Nothing imports `shop/prices.py`, so change it freely.", [("UNUSED", "shop/prices.py")]),
        ("`notify()` in `shop/notify.py` already validates the name.", [("PROPERTY", "notify")]),
        ("`checked()` in `shop/checked.py` already validates the name.", []),
        ("`notify()` is already covered by tests.", [("PROPERTY", "notify")]),
        ("`add_item()` is already covered by tests.", []),
        ("`notify()` already handles errors.", [("PROPERTY", "notify")]),
        ("Remove the `--dry-run` option. This is backwards compatible.", [("COMPATIBLE", "--dry-run")]),
        ("Remove the `--wet-run` option.", [("OPTION", "--wet-run")]),
        ("Pass `--verbose` to the other program.", []),
    ],
)
def test_claims_are_held_against_the_code(tmp_path: Path, line: str, expected: list[tuple[str, str]]) -> None:
    assert found(tmp_path, line) == expected


def test_tests_must_reach_the_change(tmp_path: Path) -> None:
    step = "Change `letter()` in `shop/mail/letters.py`."
    run = "Run `pytest tests/test_cart.py`."
    assert found(tmp_path, step, run) == [("UNTOUCHED", "tests/test_cart.py")]
    assert found(tmp_path, step, run, "Run the whole suite.") == []
    assert found(tmp_path, "Change `total_price()` in `shop/prices.py`.", run) == []
    assert found(tmp_path, step, "Add a case to `tests/test_cart.py`.", run) == []


def test_a_functions_text_has_its_decorators_and_none_of_its_comments() -> None:
    first = '@guarded\ndef f(\n    a,\n):\n    """Validates nothing."""\n    # checked\n    return a\n'
    text = f"{first}\n\ndef g():\n    if 1:\n        pass\n"
    assert function_text(text, 2).split() == ["@guarded", "def", "f(", "a,", "):", "return", "a"]
    assert function_text(text, 1) == ""


def test_a_name_in_another_language_or_as_an_argument_is_no_use(tmp_path: Path) -> None:
    more = {
        "shop/keys.py": "def primary(name):\n    return name\n",
        "shop/tables.py": "column(1, primary=True)\n",
        "web/x.js": "primary()\n",
    }
    text = "# P\n\n1. Remove `primary()` from `shop/keys.py`.\n"
    assert list(examine(bench(shop(tmp_path, **more), text).case)) == []
    (tmp_path / "shop" / "tables.py").write_text("column(primary(1), primary=True)\n")
    assert [each.kind.name for each in examine(bench(tmp_path, text).case)] == ["REMOVAL"]
