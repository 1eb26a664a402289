"""Plans beside a repository with a history: what a commit took away or renamed stands against whoever still builds on it."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.evidence import Evidence, Grade
from counterproof.analysis.plans.examination import examine
from toolbox.tooling import a_repository, git

TABLE = "def table():\n    return [[number, number * 2, number * 3] for number in range(10)]\n" * 3


def _told(folder: Path, steps: str) -> list[Doubt]:
    """What history says against a plan: of a shop in which one module was renamed and another one taken away."""
    root = a_repository(shop(folder, **{"shop/tables.py": TABLE, "shop/basket.py": "def basket():\n    return {}\n"}))
    (root / "shop/web/forms/grid.py").write_text((root / "shop/tables.py").read_text())
    for gone in ("shop/tables.py", "shop/basket.py"):
        (root / gone).unlink()
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Tidy up")
    text = f"# Totals\n\n## Goal\n\nTotals are faster.\n\n## Steps\n\n{steps}\n2. Change `total_price()` in `shop/prices.py`.\n"
    held = bench(root, text)
    try:
        return [doubt for doubt in examine(held.case) if doubt.evidence is Evidence.DEPARTED]
    finally:
        held.close()


@pytest.mark.parametrize(
    ("steps", "path", "what"),
    [
        ("1. Modify `shop/basket.py` so that it sums up.", "shop/basket.py", "took it away"),
        ("1. Cache what `shop/basket.py` returns.", "shop/basket.py", "took it away"),
        ("1. Modify: `shop/tables.py`", "shop/tables.py", "renamed it to `shop/web/forms/grid.py`"),
        ("1. **Files to create:**\n   - `shop/sums.py`\n   - Wire into `shop/tables.py`", "shop/tables.py", "grid.py"),
    ],
)
def test_what_a_commit_took_away_stands_against_the_plan(tmp_path: Path, steps: str, path: str, what: str) -> None:
    (doubt,) = _told(tmp_path, steps)
    assert doubt.grade is Grade.STANDS
    assert doubt.subject == path
    assert what in doubt.concern
    assert "Tidy up" in doubt.concern
    assert git(tmp_path, "rev-parse", "HEAD") in doubt.places


@pytest.mark.parametrize(
    "steps",
    [
        "1. Create `shop/basket.py` with a `basket()` function.",
        "1. Restore `shop/basket.py` as it was.",
        "1. Say in the notes that `shop/basket.py` was removed.",
        "1. Delete `shop/basket.py`.",
        "1. Add `shop/bag.py`; it does not touch the\n   `shop/basket.py` of the host.",
        "1. Move what is in `shop/web/forms/grid.py`, once `shop/tables.py`, to the top.",
        "1. Modify `shop/cart.py` if `shop/baskets.py` is too slow.",
        "1. The module itself:\n\n```python\n# shop/basket.py\nsize = 1\n```",
    ],
)
def test_what_the_plan_brings_back_or_speaks_of_as_past_is_not_held_against_it(tmp_path: Path, steps: str) -> None:
    assert not _told(tmp_path, steps)


def test_without_a_history_nothing_is_asked_of_it(tmp_path: Path) -> None:
    held = bench(shop(tmp_path), "# Totals\n\n1. Modify `shop/basket.py`.\n2. Change `total_price()` in `shop/prices.py`.\n")
    assert not held.case.ground.departed(("shop/basket.py",))
