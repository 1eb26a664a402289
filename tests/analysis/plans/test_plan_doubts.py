"""What of a plan the repository contradicts, and what is only asked."""

import subprocess
from pathlib import Path

import pytest

from analysis.plans.planned_shop import CLEAN, bench, doubts, shop
from counterproof.analysis.plans.doubts import MAX_QUESTIONS, Doubt, Evidence, subject_of
from counterproof.analysis.plans.examination import examine

STOCKS = tuple(f"stock_{name}" for name in "abcdef")
STOCK = {f"shop/{name}.py": f"def read_{name}(item):\n    return item\n" for name in STOCKS}


def found(folder: Path, text: str, **more: str) -> list[Doubt]:
    return list(examine(bench(shop(folder, **more), f"# A plan\n\n{text}\n").case))


def kinds(doubts_: list[Doubt]) -> list[tuple[Evidence, str, bool]]:
    return [(each.evidence, each.subject, each.is_question) for each in doubts_]


def test_a_plan_that_fits_the_repository_raises_nothing(tmp_path: Path) -> None:
    assert doubts(tmp_path, CLEAN) == []


STANDS = [
    ("1. Remove `old_total()` from `shop/prices.py`.", Evidence.REMOVED, "old_total", "shop/report.py:1"),
    ("1. Rename `old_total()` to `new_total()`.", Evidence.REMOVED, "old_total", "shop/report.py:1"),
    ("1. Move `old_total()` from `shop/prices.py` to `shop/cart.py`.", Evidence.REMOVED, "old_total", "shop/report.py:1"),
    ("- Delete: `shop/prices.py`", Evidence.REMOVED, "shop/prices.py", "shop/cart.py:1"),
    ("```bash\ngit rm shop/prices.py\n```", Evidence.REMOVED, "shop/prices.py", "shop/cart.py:1"),
    ("```bash\ngit mv shop/prices.py shop/sums.py\n```", Evidence.REMOVED, "shop/prices.py", "shop/cart.py:1"),
    (
        "```diff\n--- a/shop/prices.py\n+++ b/shop/prices.py\n-def old_total(cart):\n-    return total_price(cart)\n```",
        Evidence.REMOVED,
        "old_total",
        "shop/report.py:1",
    ),
    ("- Modify: `shop/price.py`", Evidence.ABSENT_PATH, "shop/price.py", ""),
    ("1. Change `shop/nobody.py`.", Evidence.ABSENT_PATH, "shop/nobody.py", ""),
    ("1. See `shop/cart.py::old_total`.", Evidence.STATED, "old_total", "shop/prices.py:8"),
    ("1. Change `old_total()` in `shop/cart.py`.", Evidence.STATED, "old_total", "shop/prices.py:8"),
    (
        (
            "- Create: `shop/a.py`\n\n```python\n# shop/a.py\nfrom shop.prices import total_price\n\n\ndef a(cart):\n"
            "    return total_price(cart, 2)\n```"
        ),
        Evidence.MISFIT,
        "total_price",
        "shop/prices.py:4",
    ),
    ("## Task 1: A\n\n- Modify: `shop/a.py`\n\n## Task 2: B\n\n- Create: `shop/a.py`", Evidence.EARLY, "shop/a.py", "plan:9"),
    (
        "## Task 1: A\n\n```bash\npython shop/a.py\n```\n\n## Task 2: B\n\n- Create: `shop/a.py`",
        Evidence.EARLY,
        "shop/a.py",
        "plan:11",
    ),
    (
        "- Modify: `shop/prices.py`\n\nIt then reads:\n\n```python\ndef total_price(cart, currency):\n    return sum(cart)\n```",
        Evidence.LEFT_CALLER,
        "total_price",
        "shop/cart.py:6",
    ),
]


@pytest.mark.rule("P20", "P21")
@pytest.mark.parametrize(("text", "evidence", "subject", "place"), STANDS)
def test_what_a_line_contradicts_stands_with_both_lines(
    tmp_path: Path, text: str, evidence: Evidence, subject: str, place: str
) -> None:
    doubts_ = found(tmp_path, text)
    assert kinds(doubts_)[:1] == [(evidence, subject, False)]
    doubt = doubts_[0]
    assert doubt.lines
    assert (doubt.places[0] if doubt.places else "") == place
    assert doubt.places or doubt.search
    assert subject_of(doubt.claim)


NOTHING = [
    "1. Remove `old_total()` from `shop/prices.py`.\n2. Change `shop/report.py` to no `old_total()`.",
    (
        "1. Remove `old_total()` from `shop/prices.py`.\n\nThe report then:\n\n```python\n# shop/report.py\ndef report(cart):\n"
        "    return 0\n```"
    ),
    "1. Rename `old_total()` to `new_total()` and update all callers.",
    "1. Remove `old_total()`.\n\nIn its place:\n\n```python\n# shop/prices.py\ndef old_total(cart):\n    return 0\n```",
    "- Delete: `shop/report.py`",
    "- Create: `shop/nobody.py`\n- Modify: `shop/nobody.py`",
    "- Create: `shop/new/`\n- Modify: `shop/new/a.py`",
    "1. Delete the `old_total()` fallback loop.",
    "1. See `shop/cart.py:5`, and `shop/nobody.py`.",
    "```python\n# shop/prices.py\ndef round_price(it):\n    return it\n```\n\n1. Change `round_price()` in `shop/prices.py`.",
    (
        "- Modify: `shop/prices.py`\n\n```python\n# shop/prices.py\ndef add_item(it):\n    return it\n```\n\n"
        "1. Change `add_item()` in `shop/prices.py`."
    ),
    "1. Create `round_price()`.\n2. Change `round_price()` in `shop/prices.py`.",
    "`TAX_RATE` is currently 0.20.",
    "1. Use `total_price(cart)`, or `total_price(...)`.",
    "1. Change `total_price()` so that it is called as `total_price(cart, currency)`.",
    "## Task 1: A\n\n- Create: `shop/a.py`\n\n## Task 2: B\n\n- Modify: `shop/a.py`",
    "- Modify: `shop/prices.py`\n\nBefore:\n\n```python\ndef total_price(cart, currency):\n    return sum(cart)\n```",
    "- Modify: `shop/prices.py`\n\n```python\ndef total_price(cart, currency='EUR'):\n    return sum(cart)\n```",
    (
        "- Modify: `shop/prices.py`, `shop/cart.py`\n\n```python\n# shop/prices.py\ndef total_price(cart, currency):\n   "
        " return cart\n```"
    ),
]


@pytest.mark.rule("P17", "P20", "P21")
@pytest.mark.parametrize("text", NOTHING)
def test_what_the_plan_makes_or_minds_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []


QUESTIONS = [
    (
        "1. Remove `old_total()` from `shop/prices.py`.\n2. Change `shop/report.py`.",
        Evidence.UNSAID,
        "old_total",
        "1 file that the plan changes still uses it: shop/report.py:5. No line says so. Should it change?",
    ),
    (
        "1. Remove `old_total()`.\n\n```python\n# shop/report.py\ndef other(cart):\n    return 0\n```",
        Evidence.UNSAID,
        "old_total",
        "shop/report.py:5",
    ),
    ("1. Remove `add_item()`.", Evidence.USED, "add_item", "1 test file that the plan does not name still uses it"),
    (
        "See plan 2 first.\n\n- Modify: `shop/nobody.py`",
        Evidence.OTHER_PLAN,
        "shop/nobody.py",
        "No file has this path, and no step makes it. Does `plan 2`, which the plan refers to, make it?",
    ),
    (
        "- Create: `shop/cart.py`",
        Evidence.REPLACED,
        "shop/cart.py",
        "It is there, with 6 lines. Should it be changed, or replaced?",
    ),
    (
        (
            "## Task 1: A\n\n- Modify: `shop/cart.py`\n\n```python\nfrom shop.rounding import round_price\n```\n\n"
            "## Task 2: B\n\n- Create: `shop/rounding.py`"
        ),
        Evidence.EARLY_NAME,
        "shop/rounding.py",
        "Should the steps change places?",
    ),
]


@pytest.mark.rule("P17", "P20", "P21")
@pytest.mark.parametrize(("text", "evidence", "subject", "concern"), QUESTIONS)
def test_what_is_less_certain_is_a_question(tmp_path: Path, text: str, evidence: Evidence, subject: str, concern: str) -> None:
    doubts_ = found(tmp_path, text, **STOCK)
    assert kinds(doubts_) == [(evidence, subject, True)]
    assert concern in doubts_[0].concern


@pytest.mark.rule("P21")
def test_at_most_five_questions_are_asked_the_one_that_reaches_most_files_first(tmp_path: Path) -> None:
    there = "".join(f"- Create: `shop/{name}.py`\n" for name in STOCKS)
    new = "".join(f"- Create: `shop/new_{name}.py`\n" for name in STOCKS)
    text = f"{there}{new}\nDrop the column `old_total`.\n"
    asked = [each for each in found(tmp_path, text, **STOCK) if each.is_question]
    assert len(asked) == MAX_QUESTIONS
    assert (asked[0].subject, asked[0].reach) == ("old_total", 2)


@pytest.mark.rule("P21")
def test_a_file_that_a_commit_renamed_is_named_with_the_commit(tmp_path: Path) -> None:
    folder = shop(tmp_path)
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["commit", "-qm", "Begin"],
        ["mv", "shop/report.py", "shop/monthly.py"],
        ["commit", "-qm", "Rename it"],
    ):
        subprocess.run([*git, *command], check=True)
    made = bench(folder, "# A plan\n\n- Modify: `shop/report.py`\n")
    (doubt,) = examine(made.case)
    made.close()
    assert (doubt.evidence, doubt.places[0]) == (Evidence.DEPARTED, "shop/monthly.py:1")
    assert "renamed it to `shop/monthly.py` (Rename it)" in doubt.concern


@pytest.mark.rule("P20")
def test_a_plan_for_another_repository_is_one_doubt(tmp_path: Path) -> None:
    (doubt,) = found(tmp_path, "".join(f"- Modify: `web/{name}.go`\n" for name in "abcd"))
    assert "None of the 4 files that the plan changes is there" in doubt.concern


def test_a_plan_that_was_carried_out_is_one_question(tmp_path: Path) -> None:
    (doubt,) = found(tmp_path, "- Create: `shop/cart.py`\n- Create: `shop/prices.py`\n")
    assert "2 of 2 files that the plan creates already exist" in doubt.concern
