"""What the plan's own words take to be there, and what nobody has: asked about, and no more."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.evidence import NOWHERE, Grade
from counterproof.analysis.plans.examination import examine


def _asked(folder: Path, steps: str) -> list[str]:
    text = f"# Totals\n\n## Goal\n\nTotals are faster.\n\n## Steps\n\n{steps}\n2. Change `total_price()` in `shop/prices.py`.\n"
    held = bench(shop(folder), text)
    try:
        found = [doubt for doubt in examine(held.case) if doubt.evidence in NOWHERE]
    finally:
        held.close()
    assert {each.grade for each in found} <= {Grade.ASKED}
    return [each.subject for each in found]


@pytest.mark.parametrize(
    ("steps", "asked"),
    [
        ("1. Totals\n   - Modify: `shop/ledger_window.py`", "shop/ledger_window.py"),
        ("1. Modify: `shop/ledger_window.py` (add a field to its class)", "shop/ledger_window.py"),
        ("1. Update `harvest_window()` in `shop/prices.py`.", "harvest_window"),
        ("1. Cache the existing `harvest_window()` of prices.", "harvest_window"),
        ("1. Sum up once: `harvest_window()` already sorts.", "harvest_window"),
        ("1. Write the test; prices already define `harvest_window()`.", "harvest_window"),
        ("1. Import `harvest_window()` from `shop/prices.py`.", "harvest_window"),
        ("1. Add a field to the `HarvestWindow` class.", "HarvestWindow"),
        ("1. Add `width` to `HarvestWindow`.", "HarvestWindow"),
        ("1. Check that the existing tests `test_harvest_window` pass.", "test_harvest_window"),
        ("1. Update `harvest_window()` so that it writes the total.", "harvest_window"),
    ],
)
def test_what_words_take_to_be_there_and_nobody_has_is_asked(tmp_path: Path, steps: str, asked: str) -> None:
    assert _asked(tmp_path, steps) == [asked]


@pytest.mark.parametrize(
    "steps",
    [
        "1. Totals\n   - Create: `shop/ledger_window.py`",
        "1. Modify: `shop/ledger_window.py` (or create it if it does not exist)",
        "1. Modify: `elsewhere/ledger_window.py`",
        "1. Modify: `shop/prices.py`",
        "1. Update `total_price()` in `shop/prices.py`.",
        "1. Add `harvest_window()`.\n   Then update `harvest_window()` for taxes.",
        "1. `harvest_window()`: track a file for change detection.",
        "1. Use `harvest_window()` of the new library.",
        "1. `shop/prices.py`: extended with `harvest_window`.",
        "1. Update `harvest_window` for taxes.\n   Add `harvest_window = 3` to `shop/prices.py`.",
        "1. Import `harvest_window()` from `shop/windows.py`, which comes with the next release.",
        "1. Put `harvest_window()` in `shop/prices.py`.",
        "1. Add `HarvestWindow`.\n   Then add `width` to `HarvestWindow`.",
        "1. Rename `report` to `harvest_window`.",
        "1. Update `harvest_window()`:\n\n```python\ndef harvest_window():\n    return 1\n```",
        "1. Update `pandas.read_window()` by the next release.",
    ],
)
def test_what_may_be_new_or_anothers_is_not_asked(tmp_path: Path, steps: str) -> None:
    assert _asked(tmp_path, steps) == []
