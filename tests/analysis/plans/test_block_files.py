"""Which file a block of a plan is for, where the words right before it name none."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop

PYTHON = "```python\nrounded = 1\n```\n"
TEST = "```python\ndef test_total():\n    assert 1\n```\n"
SCRIPT = "```ts\nconst rounded = 1\n```\n"
BOTH = "**Files:**\n- Modify: `shop/prices.py`\n- Test: `tests/test_rounding.py`\n\n"
ONE = "**Files:**\n- Modify: `shop/prices.py`\n\n"
TWO = "**Files:**\n- Modify: `shop/prices.py`\n- Modify: `shop/cart.py`\n\n"

PLACED = [
    (BOTH + f"- [ ] **Step 1: Write the test**\n\nThis fails:\n\n{TEST}", "tests/test_rounding.py"),
    (BOTH + f"- [ ] **Step 2: Write the code**\n\nThis passes:\n\n{PYTHON}", "shop/prices.py"),
    (TWO + f"- [ ] **Step 1: Change `shop/cart.py`**\n\nAt its end:\n\n{PYTHON}", "shop/cart.py"),
    (TWO + f"#### `shop/cart.py`\n\n- [ ] **Step 1: Change the rows**\n\nAt its end:\n\n{PYTHON}", "shop/cart.py"),
    (
        BOTH + f"- [ ] **Step 1: Write the test**\n\nRead `shop/prices.py` first, then extend its test:\n\n{TEST}",
        "tests/test_rounding.py",
    ),
    (TWO + f"1. In `shop/cart.py`, the rows.\n\n   At its end:\n\n{PYTHON}", "shop/cart.py"),
]
UNPLACED = [
    ONE + f"- [ ] **Step 1: Show it**\n\nFind the totals in page.py and add above:\n\n{PYTHON}",
    TWO + f"- [ ] **Step 1: Write the test**\n\nRead `shop/cart.py`, then extend its test:\n\n{TEST}",
    TWO + f"#### What `shop/cart.py` leaves to others\n\n- [ ] **Step 1: Write the code**\n\nThis passes:\n\n{PYTHON}",
    TWO + f"- [ ] **Step 1: Write the code**\n\nThis passes:\n\n{PYTHON}",
    BOTH + f"- [ ] **Step 2: Write the page**\n\nThis passes:\n\n{SCRIPT}",
    f"**Files:**\n- Read: `shop/sums.py`\n\nThis passes:\n\n{PYTHON}",
    f"As in `shop/sums.py`, which somebody may write.\n\nThis passes:\n\n{PYTHON}",
    "**Files:**\n- Modify: `shop/prices.py`\n\n" + f"- [ ] **Step 1: Write the test**\n\nThis fails:\n\n{TEST}",
]


@pytest.mark.rule("P17")
@pytest.mark.parametrize(("step", "path"), PLACED)
def test_a_block_is_for_the_only_file_of_its_step_that_fits(tmp_path: Path, step: str, path: str) -> None:
    case = bench(shop(tmp_path), f"# A plan\n\n### Task 1: Round\n\n{step}").case
    assert [code.path for code in case.codes] == [path]


@pytest.mark.rule("P17")
@pytest.mark.parametrize("step", UNPLACED)
def test_a_block_that_may_be_for_several_files_or_none_is_for_none(tmp_path: Path, step: str) -> None:
    case = bench(shop(tmp_path), f"# A plan\n\n### Task 1: Round\n\n{step}").case
    assert [code.path for code in case.codes] == [""]


@pytest.mark.rule("P17")
def test_files_of_another_step_place_no_block(tmp_path: Path) -> None:
    text = f"# A plan\n\n### Task 1: Round\n\n{BOTH}\n### Task 2: Show\n\nThis passes:\n\n{PYTHON}"
    assert [code.path for code in bench(shop(tmp_path), text).case.codes] == [""]


SHORT = "- [ ] **Step 1: Change the page**\n\nIn `app/page.ts`:\n\n" + SCRIPT
TREE = {"one/app/page.ts": "export const a = 1\n", "two/app/page.ts": "export const a = 2\n"}


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    ("files", "path"),
    [
        ("", ""),
        ("- Modify: `two/app/page.ts`\n", "two/app/page.ts"),
        ("- Create: `three/app/page.ts`\n", "three/app/page.ts"),
        ("- Modify: `one/app/page.ts`\n- Modify: `two/app/page.ts`\n", ""),
        ("- Modify: `app/page.tsx`\n", ""),
    ],
)
def test_a_path_that_several_files_end_with_is_the_one_that_the_plan_names(tmp_path: Path, files: str, path: str) -> None:
    text = f"# A plan\n\n## Files\n\n{files}\n### Task 1: Show\n\n{SHORT}"
    assert [code.path for code in bench(shop(tmp_path, **TREE), text).case.codes] == [path]


@pytest.mark.rule("P17")
def test_the_path_of_the_same_step_comes_first(tmp_path: Path) -> None:
    steps = [
        f"### Task {at}: Show\n\n**Files:**\n- Modify: `{name}/app/page.ts`\n\n{SHORT}" for at, name in ((1, "one"), (2, "two"))
    ]
    case = bench(shop(tmp_path, **TREE), "# A plan\n\n" + "\n".join(steps)).case
    assert [code.path for code in case.codes] == ["one/app/page.ts", "two/app/page.ts"]


@pytest.mark.rule("P17")
def test_a_path_that_is_there_or_that_one_file_ends_with_stays(tmp_path: Path) -> None:
    for more in ({"app/page.ts": ""}, {}):
        tree = {"one/app/page.ts": TREE["one/app/page.ts"], **more}
        case = bench(shop(tmp_path / str(len(more)), **tree), f"# A plan\n\n### Task 1: Show\n\n{SHORT}").case
        assert [code.path for code in case.codes] == ["app/page.ts"]
