"""What the repository says to a plan: doubts where it contradicts, silence where the plan is fine."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import CLEAN, bench, doubts, shop
from counterproof.analysis.plans import risks
from counterproof.analysis.plans.doubts import Kind, read_claim
from counterproof.model.plan.challenge import Weight


def test_a_clean_plan_raises_nothing(tmp_path: Path) -> None:
    assert doubts(tmp_path, CLEAN) == []


@pytest.mark.parametrize(
    ("line", "kind", "weight", "word"),
    [
        ("1. Change `shop/price.py`.", Kind.FILE, Weight.SIGNIFICANT, "shop/prices.py"),
        ("1. Change `billing/ledger_book.py`.", Kind.FILE, Weight.BLOCKING, "nothing close"),
        ("1. Change the sum in `shop/prices.py`, line 1200.", Kind.PLACE, Weight.SIGNIFICANT, "has 9 lines"),
        ("1. Change the sum (`shop/prices.py:88`).", Kind.PLACE, Weight.SIGNIFICANT, "has 9 lines"),
        ("1. Change `total_prices()` in `shop/prices.py`.", Kind.SYMBOL, Weight.SIGNIFICANT, "total_price"),
        ("1. Use the existing `wholly_unknown_thing()`.", Kind.SYMBOL, Weight.SIGNIFICANT, "No file"),
        ("1. Import the `httpx` package.", Kind.DEPENDENCY, Weight.SIGNIFICANT, "No manifest"),
        ("1. Call `GET /api/warehouses` from the page.", Kind.ENDPOINT, Weight.SIGNIFICANT, "No source"),
        ("1. Read from the `warehouses` table.", Kind.TABLE, Weight.SIGNIFICANT, "No source"),
        ("1. Change `MAX_ITEMS` to 5.", Kind.SETTING, Weight.SIGNIFICANT, "No source"),
        ("1. Run `pytest tests/test_carts.py`.", Kind.COMMAND, Weight.SIGNIFICANT, "tests/test_cart.py"),
        ("1. Run `make release`.", Kind.COMMAND, Weight.SIGNIFICANT, "no target"),
        ("1. Remove `old_total()` from `shop/prices.py`.", Kind.REMOVAL, Weight.BLOCKING, "shop/report.py:1"),
        ("1. Delete `shop/prices.py`.", Kind.REMOVAL, Weight.BLOCKING, "shop/cart.py:1"),
        ("1. Rename `old_total` to `summed_total`.", Kind.RENAME, Weight.SIGNIFICANT, "shop/report.py"),
        ("1. Add a required `currency` parameter to `old_total()`.", Kind.SIGNATURE, Weight.SIGNIFICANT, "shop/report.py"),
        ("Nothing uses `old_total`.", Kind.UNUSED, Weight.SIGNIFICANT, "shop/report.py:5"),
        ("`total_price` has only one caller.", Kind.COUNT, Weight.SIGNIFICANT, "not 1"),
        ("1. Call `add_item(cart, item, amount=2)`.", Kind.CALL, Weight.SIGNIFICANT, "no argument `amount`"),
        ("1. Call `add_item(cart, item, 1, 2)`.", Kind.CALL, Weight.SIGNIFICANT, "at most 3"),
        ("We are on Flask 2.2.", Kind.VERSION, Weight.SIGNIFICANT, "3.0.1"),
        ("We are on requests 1.9.", Kind.VERSION, Weight.SIGNIFICANT, "2.30"),
    ],
)
def test_what_the_code_contradicts_is_doubted(tmp_path: Path, line: str, kind: Kind, weight: Weight, word: str) -> None:
    found = doubts(tmp_path, f"# A plan\n\n{line}\n")
    assert [(each.kind, each.weight) for each in found] == [(kind, weight)]
    assert word in found[0].concern


@pytest.mark.parametrize(
    "line",
    [
        "1. Change the sum in `shop/prices.py`, lines 4 to 5.",
        "1. Copy 400 lines of `shop/prices.py`, line 5 first, to `shop/cart.py`.",
        "1. Remove `old_total()` and update all callers.",
        "1. Remove `old_total()` from `shop/prices.py` and its use in `shop/report.py`.",
        "1. Rename `old_total` to `summed_total`, keep the old name as a deprecated alias.",
        "1. Call `add_item(cart, item, count=2)`.",
        "1. Call `add_item(...)` with `functools.partial`.",
        "1. Upgrade Flask 3.0 to 3.1.2.",
        "We are on Flask 3.0 and requests 2.31.",
        "1. Add `httpx` to `requirements.txt` and use the `httpx` package.",
        "1. Change `TAX_RATE`.",
        "1. Run `make check`.",
        "1. Write `dist/out.txt` from `prices.py`.",
        "1. Remove the call to `old_total()` in `shop/report.py`.",
    ],
)
def test_what_the_code_bears_out_is_not_doubted(tmp_path: Path, line: str) -> None:
    assert doubts(tmp_path, f"# A plan\n\n{line}\n") == []


def test_a_step_that_needs_a_later_one_is_doubted_but_a_test_written_first_is_not(tmp_path: Path) -> None:
    early = "# P\n\n1. Load `shop/cache.py` in `shop/cart.py`.\n2. Create `shop/cache.py`.\n"
    assert [each.kind for each in doubts(tmp_path, early)] == [Kind.ORDER]
    tested = "# P\n\n1. Write a failing test for `shop/cache.py`.\n2. Create `shop/cache.py`.\n"
    assert doubts(tmp_path, tested) == []


def test_compatibility_is_doubted_when_a_public_name_goes(tmp_path: Path) -> None:
    text = "# P\n\nThis is backwards compatible.\n\n1. Remove `report()` from `shop/report.py`.\n"
    assert [each.kind for each in doubts(tmp_path, text)] == [Kind.COMPATIBLE]


def test_changed_data_needs_a_way_back(tmp_path: Path) -> None:
    text = "# P\n\n1. Write a migration that drops the column `legacy`.\n"
    case = bench(shop(tmp_path), text).case
    assert [each.kind for each in risks.no_way_back(case)] == [Kind.ROLLBACK]
    code_only = bench(tmp_path, text + "2. If it fails, revert the commit.\n").case
    assert [each.kind for each in risks.no_way_back(code_only)] == [Kind.ROLLBACK]
    better = bench(tmp_path, text + "2. The rollback restores the column from the backup.\n").case
    assert list(risks.no_way_back(better)) == []


def test_outside_systems_fail(tmp_path: Path) -> None:
    text = "# P\n\n1. Call Stripe to charge the card.\n"
    assert [each.kind for each in risks.silent_on_failure(bench(shop(tmp_path), text).case)] == [Kind.FAILURE]
    minded = text + "2. On a timeout, retry twice.\n"
    assert list(risks.silent_on_failure(bench(tmp_path, minded).case)) == []


def test_a_claim_can_be_read_back(tmp_path: Path) -> None:
    (found,) = doubts(tmp_path, "# P\n\n1. Change `shop/price.py`.\n")
    read = read_claim(found.claim)
    assert read
    assert (read.kind, read.subject, read.line) == (Kind.FILE, "shop/price.py", 3)
    assert read_claim("Something else `x`") is None
