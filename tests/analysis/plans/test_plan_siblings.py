"""Names and files that differ from those of the code by one word: a plan for this tree that counts on them is stopped."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, is_firm, shop
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.evidence import Grade
from counterproof.analysis.plans.examination import examine

STORE = {
    "shop/store.py": (
        "from shop.prices import total_price\n\n\ndef load_saved_prices(path):\n    return path\n\n\n"
        "def find_item(name):\n    return name\n\n\nclass StoredPriceList:\n    pass\n"
    ),
    "shop/jobs.py": "def run_mail_job():\n    pass\n\n\ndef run_price_job():\n    pass\n",
    "shop/price_import.py": "ROWS = 3\n",
    "shop/rows/page_rows.py": "ROWS = 3\n",
}
USED = "\n\n```python\nfrom shop.store import {0}\n\n\ndef refresh(path):\n    return {0}(path)\n```\n"


def _found(folder: Path, steps: str) -> list[Doubt]:
    text = (
        f"# Prices\n\n## Goal\n\nPrices are read once.\n\n## Steps\n\n{steps}\n\n"
        "9. Change `shop/prices.py` and read `shop/jobs.py`.\n"
    )
    held = bench(shop(folder, **STORE), text)
    try:
        return list(examine(held.case))
    finally:
        held.close()


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("steps", "subject", "meant"),
    [
        (
            "1. Read `shop/store.py`. Change `load_stored_prices()` for rows.",
            "load_stored_prices",
            "load_saved_prices",
        ),
        ("1. `total_prices` of `shop/prices.py` rounds.", "total_prices", "total_price"),
        ("1. Read `shop/store.py` with its `find_item()`. Update `find_article()`.", "find_article", "find_item"),
        ("1. Refresh:" + USED.format("load_saved_rows"), "shop.store.load_saved_rows", "load_saved_prices"),
        ("1. Refresh:" + USED.format("find_article"), "shop.store.find_article", "find_item"),
        ("1. Read `shop/store.py`. Extend `CachedPriceList` by a date.", "CachedPriceList", "StoredPriceList"),
        ("1. Read `shop/store.py`. Update `find_article()` for names.", "find_article", "find_item"),
        ("1. Import\n   - Modify: `shop/price_export.py`", "shop/price_export.py", "shop/price_import.py"),
        ("1. Import\n   - Modify: `shop/import_price.py:3-9`", "shop/import_price.py", "shop/price_import.py"),
        ("1. Import\n   - Replace: `shop/ledger.py`", "shop/ledger.py", ""),
        ("1. The rows of `shop/web/page_rows.py` are slow.", "shop/web/page_rows.py", "shop/rows/page_rows.py"),
        ("1. The loop at `shop/ledger.py` (lines 3-9) is slow.", "shop/ledger.py", ""),
        (
            "| File | Change |\n|---|---|\n| `shop/cart.py` | date |\n| `shop/ledger.py` | Add a sum |\n| `shop/models.py` | – |",
            "shop/ledger.py",
            "",
        ),
        ("1. The loop at `shop/ledger.py:40` is slow.", "shop/ledger.py", ""),
    ],
)
def test_what_is_there_but_for_one_word_stops_the_plan(tmp_path: Path, steps: str, subject: str, meant: str) -> None:
    stands = [doubt for doubt in _found(tmp_path, steps) if is_firm(doubt)]
    assert [doubt.subject for doubt in stands] == [subject]
    assert meant in stands[0].concern


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "steps",
    [
        "1. Read `shop/store.py`. After the existing `load_stored_prices`-style functions, do more.",
        "1. Add `load_stored_prices()` to `shop/store.py`.",
        "1. Create `load_stored_prices()`.\n   Then change `load_stored_prices()` for taxes.",
        "1. Read `shop/store.py`. `load_stored_prices()` stands beside `load_saved_prices()`.",
        "1. Read `shop/store.py`.\n2. `shop/store.py` gets `load_stored_prices()`.",
        "1. Read `shop/store.py`.\n\n### `shop/` (new functions)\n\n- `shop/store.py`: `load_stored_prices()`",
        "1. Read `shop/store.py`. Both `load_stored_prices` and `load_kept_prices` sort.",
        "1. Read `shop/prices.py`. Only this calls `book({key, total_prices, rest})`.",
        "1. Change `run_order_job()` so that it ends.",
        "1. Read `shop/store.py`. `find_article` of the list.",
        "1. Write:\n\n```python\ndef load_stored_prices(path):\n    return path\n```\n\n2. Call `load_stored_prices()`.",
        "1. Write:\n\n```python\nload_stored_prices = read\n```\n\n2. `load_stored_prices` is fast.",
        "1. Import\n   - Create: `shop/price_export.py`",
        "1. Import\n   - Modify: `shop/price_export.py` (new)",
        "1. Import\n   - Modify: `shop/price_export.py`, create it if it is not there",
        "| File | Purpose |\n|---|---|\n| `shop/ledger_book.py` | what it does |",
        "1. The rows of `shop/web/page_rows.py`, unlike those of `shop/rows/page_rows.py`, are slow.",
        "1. The rows of `shop/web/page_rows.py` will be sorted.",
        "1. The rows of `checkout/shop/rows/page_rows.py` are slow.",
        "#### Files to modify\n\n- `shop/ledger.py`\n- `shop/book.py`\n- `tests/test_ledger.py`\n",
        "#### Files to modify\n\n- `shop/ledger.py`\n- `shop/book.py`\n\n#### Files to create\n\n- `shop/book.py`",
        "Files:\n\n- `shop/cart.py`: a date\n- `shop/ledger.py` (new): a sum\n- `shop/models.py`: a field",
        "Files:\n\n- `shop/cart.py`: a date\n- `shop/ledger.py`: a sum\n- `shop/book.py`: a field\n- `shop/models.py`: a field",
        "Files:\n\n- `shop/cart.py`: a date\n- `tests/test_ledger.py`: a sum\n- `shop/models.py`: a field",
        "1. Read `shop/store.py`.\n\n```python\nrows = load_stored_prices(path)\n```",
        "1. Keep `shop/price_import.py` and add `shop/price_export.py`.",
    ],
)
def test_what_may_be_new_stops_nobody(tmp_path: Path, steps: str) -> None:
    assert [doubt.subject for doubt in _found(tmp_path, steps) if is_firm(doubt)] == []


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    "opening",
    ["Depends on phase 2, which is not merged.", "See `a/b.py:1`, `a/c.py:1`, `shop/d_e_f.py:1` and `shop/g_h_i.py:1`."],
)
def test_a_file_that_is_not_there_is_asked_about_where_the_plan_may_be_for_another_tree(tmp_path: Path, opening: str) -> None:
    found = _found(tmp_path, f"{opening}\n\n1. Import\n   - Modify: `shop/ledger.py`")
    assert Grade.STANDS not in {doubt.grade for doubt in found if doubt.subject == "shop/ledger.py"}


@pytest.mark.rule("P20")
def test_a_name_that_is_only_used_is_asked_about(tmp_path: Path) -> None:
    for name in ("load_saved_rows", "load_stored_prices"):
        found = _found(tmp_path, f"1. Read `shop/store.py`. `{name}` sorts, which takes long.")
        assert [(doubt.subject, doubt.grade) for doubt in found] == [(name, Grade.ASKED)]


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    "line", ["Rename `price_import.py` to `price_imports.py`.", "Run `git mv shop/price_import.py shop/price_imports.py`."]
)
def test_a_file_that_gets_another_name_is_not_missed_under_it(tmp_path: Path, line: str) -> None:
    assert _found(tmp_path, f"1. {line}\n   - Modify: `shop/price_imports.py`") == []


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    "line",
    [
        "Move the existing `shop/price_import.py` into `shop/(rows)/price_import.py`.",
        "Move: `shop/price_import.py` → `shop/(rows)/price_import.py`",
        "Run `git mv shop/price_import.py shop/\\(rows\\)/price_import.py`.",
    ],
)
def test_a_file_that_is_moved_is_not_missed_in_its_new_folder(tmp_path: Path, line: str) -> None:
    change = "   - Modify: `shop/(rows)/price_import.py`"
    assert _found(tmp_path, f"1. {line}\n{change}") == []
    assert [doubt.subject for doubt in _found(tmp_path, f"1. Read it.\n{change}")] == ["shop/(rows)/price_import.py"]


@pytest.mark.rule("P17")
@pytest.mark.parametrize("mark", ["(NUEVO)", "(novo)", "— nouveau", "(neu)"])
def test_a_file_that_is_new_in_another_language_is_not_missed(tmp_path: Path, mark: str) -> None:
    for said, grades in ((mark, set()), ("(lines 3-9)", {Grade.ASKED})):
        found = _found(tmp_path, f"1. Read `shop/cart.py` and `shop/models.py`.\n   - `shop/ledger.py` {said}")
        assert {doubt.grade for doubt in found if doubt.subject == "shop/ledger.py"} == grades


@pytest.mark.rule("P20")
def test_one_file_by_two_paths_is_one_challenge(tmp_path: Path) -> None:
    found = _found(tmp_path, "1. Import\n   - Modify: `web/page_rows.py`\n   - Modify: `shop/web/page_rows.py`")
    assert [doubt.subject for doubt in found] == ["shop/web/page_rows.py"]


@pytest.mark.rule("P20")
def test_words_that_remove_whatever_there_is_change_no_name(tmp_path: Path) -> None:
    for deed, grades in (("Remove any", []), ("Remove the", [Grade.ASKED])):
        found = _found(tmp_path, f"1. Read `shop/store.py`. {deed} `load_stored_prices` there.")
        assert [doubt.grade for doubt in found if is_firm(doubt)] == grades


@pytest.mark.rule("P20")
@pytest.mark.parametrize(("needs", "asked"), [('["04-05"]', set()), ("[]", {Grade.ASKED})])
def test_a_plan_that_names_the_plans_before_it_is_not_asked_about_files(tmp_path: Path, needs: str, asked: set[Grade]) -> None:
    steps = "1. Read `shop/cart.py` and `shop/models.py`.\n2. Modify: `shop/ledger.py`\n"
    text = f"---\nphase: 4\ndepends_on: {needs}\n---\n\n# Prices\n\n{steps}"
    held = bench(shop(tmp_path, **STORE), text)
    try:
        grades = {doubt.grade for doubt in examine(held.case) if doubt.subject == "shop/ledger.py"}
    finally:
        held.close()
    assert grades == asked


@pytest.mark.rule("P20")
def test_files_of_one_folder_that_are_missed_for_one_reason_are_one_challenge(tmp_path: Path) -> None:
    labels = "   - Modify: `shop/ledger.py`\n   - Modify: `shop/book.py`"
    steps = f"1. Read `shop/cart.py`, `shop/models.py` and `shop/report.py`.\n{labels}"
    stands = [doubt for doubt in _found(tmp_path, steps) if is_firm(doubt)]
    assert [doubt.subject for doubt in stands] == ["shop/ledger.py"]
    assert "`shop/book.py`" in stands[0].concern
    assert len(stands[0].lines) == len(stands[0].search) == 2


SISTERS = {"docs/plans/02-01-PLAN.md": "# Books\n\nfiles_modified:\n  - shop/ledger.py\n"}


@pytest.mark.rule("P20")
@pytest.mark.parametrize(("own", "asked"), [("docs/plans/02-02-PLAN.md", []), ("docs/plans/later/PLAN.md", [Grade.ASKED])])
def test_a_plan_beside_this_one_that_names_what_is_missed_may_bring_it(tmp_path: Path, own: str, asked: list[Grade]) -> None:
    text = "# Prices\n\n1. Read `shop/cart.py` and `shop/models.py`.\n2. Modify: `shop/ledger.py`\n"
    held = bench(shop(tmp_path, **SISTERS, **{own: text}), text)
    try:
        assert [doubt.grade for doubt in examine(held.case) if doubt.subject == "shop/ledger.py"] == asked
    finally:
        held.close()


@pytest.mark.rule("P20")
def test_a_file_among_those_of_a_part_that_is_to_come_is_only_asked_about(tmp_path: Path) -> None:
    rows = (
        "| `site/page.py` | pages |\n| `shop/price_imports.py` | rows |\n| `site/menu.py` | a menu |\n| `site/foot.py` | a foot |"
    )
    for table, grade in (
        (rows, Grade.ASKED),
        (rows.replace("site/page", "shop/cart").replace("site/menu", "shop/jobs"), Grade.STANDS),
    ):
        found = _found(tmp_path, f"| File | Role |\n|---|---|\n{table}")
        assert {doubt.grade for doubt in found if doubt.subject == "shop/price_imports.py"} == {grade}
