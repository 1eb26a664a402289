"""Columns that a plan drops while code names them, and calls and orders that other languages state (P17, P21)."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.examination import examine
from counterproof.model.plan.challenge import Weight

STOCK = {
    "shop/inventory.py": "def left(db):\n    return db.execute('SELECT stock_left FROM items')\n",
    "shop/migrations/0001.sql": "CREATE TABLE items (id INTEGER, stock_left INTEGER);\n",
    "web/src/seal.ts": (
        "export function sealText(plain: string, secret: string, salt = ''): string {\n  return plain + secret + salt;\n}\n"
    ),
    "web/src/store.ts": "import { sealText } from './seal';\n\nexport const kept = sealText('a', 'b');\n",
}


def found(folder: Path, text: str, **more: str) -> list[Doubt]:
    return list(examine(bench(shop(folder, **{**STOCK, **more}), f"# A plan\n\n{text}\n").case))


@pytest.mark.rule("P21")
@pytest.mark.parametrize(
    "text",
    [
        "```sql\nALTER TABLE items DROP COLUMN stock_left;\n```",
        "```python\nop.drop_column('items', 'stock_left')\n```",
        "```ruby\nremove_column :items, :stock_left\n```",
        "1. Drop the column `stock_left` from `items`.",
        "- [ ] Remove the `items.stock_left` column",
    ],
)
def test_a_dropped_column_in_live_sql_blocks_the_plan_and_one_in_other_code_is_asked_about(tmp_path: Path, text: str) -> None:
    (doubt,) = found(tmp_path, text)
    assert (doubt.evidence, doubt.weight, doubt.places) == (Evidence.LIVE_COLUMN, Weight.BLOCKING, ("shop/inventory.py:2",))
    (doubt,) = found(tmp_path, text, **{"shop/inventory.py": "def left(item):\n    return item.stock_left\n"})
    assert (doubt.evidence, doubt.is_question, doubt.places) == (Evidence.COLUMN, True, ("shop/inventory.py:2",))
    (doubt,) = found(tmp_path, text, **{"shop/inventory.py": "LEFT = 'SELECT stock_left FROM shelves, items_of'\n"})
    assert doubt.evidence is Evidence.COLUMN


@pytest.mark.rule("P21")
def test_column_without_a_table_is_live_if_all_sql_names_one_table(tmp_path: Path) -> None:
    (doubt,) = found(tmp_path, "1. Drop the column `stock_left`.")
    assert doubt.evidence is Evidence.LIVE_COLUMN
    (doubt,) = found(tmp_path, "1. Drop the column `stock_left`.", **{"shop/shelf.py": "Q = 'SELECT stock_left FROM shelves'\n"})
    assert doubt.evidence is Evidence.COLUMN


@pytest.mark.rule("P21")
@pytest.mark.parametrize(
    "text",
    [
        "```sql\nALTER TABLE items DROP COLUMN shelf_row;\n```",
        "```sql\nALTER TABLE items ADD COLUMN stock_left INTEGER;\nALTER TABLE items DROP COLUMN stock_left;\n```",
        "1. Drop the column `stock_left`.\n2. Change `shop/inventory.py`: read no `stock_left`.",
        "Before:\n\n```sql\nALTER TABLE items DROP COLUMN stock_left;\n```",
        "We drop columns such as `stock_left` in another release.",
    ],
)
def test_a_column_that_the_plan_adds_or_speaks_of_is_not_asked_about(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []


@pytest.mark.rule("P21")
@pytest.mark.parametrize(("given", "fits"), [("'a'", False), ("'a', 'b'", True), ("'a', 'b', 'c'", True), ("1, 2, 3, 4", False)])
def test_a_script_call_with_another_number_of_arguments_stands(tmp_path: Path, given: str, fits: bool) -> None:
    text = f"- Modify: `web/src/store.ts`\n\nCode for `web/src/store.ts`:\n\n```ts\nexport const more = sealText({given});\n```"
    assert [(each.evidence, each.places) for each in found(tmp_path, text)] == (
        [] if fits else [(Evidence.MISFIT, ("web/src/seal.ts:1",))]
    )


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    ("label", "path", "code", "made"),
    [
        ("ts", "web/src/store.ts", "import { wait } from './backoff.js';", "web/src/backoff.ts"),
        ("python", "shop/cart.py", "from prices.rounding import to_cents", "shop/prices/rounding.py"),
    ],
)
def test_an_import_before_the_step_that_makes_it_is_asked_about(
    tmp_path: Path, label: str, path: str, code: str, made: str
) -> None:
    table = f"| File | Change |\n|---|---|\n| `{made}` | New |\n\n"
    first = f"## Step 1: Use it in `{path}`\n\n```{label}\n{code}\n```\n\n"
    text = f"{table}{first}## Step 2: Make it\n\nCreate `{made}`.\n"
    assert [each.evidence for each in found(tmp_path, text)] == [Evidence.EARLY_NAME]
