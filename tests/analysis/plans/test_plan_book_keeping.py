"""What a plan's own book-keeping contradicts: files that its commits leave out, and numbers of tests that it does not write."""

import re
from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans import tests_written
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Grade
from counterproof.analysis.plans.examination import examine

TASK = """### Task 1: The till

**Files:**
- Create: `shop/till.py`
- Modify: `shop/cart.py`
- Test: `tests/test_cart.py`

- [ ] **Step 1: Write it**

Change `add_item` in `shop/cart.py` so that it opens the till.

- [ ] **Step 2: Commit**

```bash
{}
git commit -m "feat: a till"
```
"""


def found(folder: Path, text: str, kind: Kind, **more: str) -> list[Doubt]:
    case = bench(shop(folder, **more), f"# A plan\n\nGoal: change it.\n\n{text}\n").case
    return [each for each in examine(case) if each.kind is kind]


def left_out(folder: Path, text: str) -> list[str]:
    return [each.subject for each in found(folder, text, Kind.UNCOMMITTED)]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "command",
    [
        "git add shop/till.py",
        "git add -- shop/till.py",
        "git add shop/till.py \\\n        tests/test_cart.py",
        'cd shop && git add "till.py" && git status',
        "git add shop/till.py shop/prices.py # the till",
    ],
)
def test_a_listed_file_that_no_commit_takes_in_is_asked_about(tmp_path: Path, command: str) -> None:
    (doubt,) = found(tmp_path, TASK.format(command), Kind.UNCOMMITTED)
    assert (doubt.subject, doubt.grade) == ("shop/cart.py", Grade.ASKED)
    assert doubt.places == ("plan:19",)
    assert "plan:19" in doubt.concern


def test_a_path_may_be_written_for_the_shell(tmp_path: Path) -> None:
    text = TASK.replace("shop/cart.py", "shop/(rows)/[id]/cart.py")
    for command, expected in (
        (r"git add shop/till.py shop/\(rows\)/\[id\]/cart.py", []),
        ("git add shop/till.py 'shop/(rows)/[id]/cart.py'", []),
        (r"git add shop/till.py shop/\(other\)/cart.py", ["shop/(rows)/[id]/cart.py"]),
    ):
        assert left_out(tmp_path, text.format(command)) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm shop/cart.py\ngit add shop/till.py", []),
        ("rm -rf shop/cart.py && git add shop/till.py", []),
        ("rm -rf build\ngit add shop/till.py", ["shop/cart.py"]),
        ("rm -rf\ngit add shop/till.py", []),
    ],
)
def test_what_a_command_removes_needs_no_commit(tmp_path: Path, command: str, expected: list[str]) -> None:
    assert left_out(tmp_path, TASK.format(command)) == expected


@pytest.mark.parametrize(
    ("listed", "step", "expected"),
    [
        ("`shop/cart.py`", "Write the till.", []),
        ("`shop/cart.py` (small helper)", "Write the till.", []),
        ("`shop/cart.py` (wire the till)", "Write the till.", ["shop/cart.py"]),
        ("`shop/cart.py`", "In `cart.py`, open the till.", ["shop/cart.py"]),
        ("`shop/cart.py`", "Write:\n\n```python\n# shop/cart.py\nTILL = 1\n```", ["shop/cart.py"]),
    ],
)
def test_a_list_that_no_step_follows_leaves_nothing_behind(tmp_path: Path, listed: str, step: str, expected: list[str]) -> None:
    text = TASK.replace("`shop/cart.py`\n- Test", f"{listed}\n- Test").replace(
        "Change `add_item` in `shop/cart.py` so that it opens the till.", step
    )
    assert left_out(tmp_path, text.format("git add shop/till.py")) == expected


def test_files_that_one_commit_leaves_out_are_told_once(tmp_path: Path) -> None:
    (doubt,) = found(tmp_path, TASK.format("git add shop/prices.py"), Kind.UNCOMMITTED)
    assert doubt.subject == "shop/till.py"
    assert "`shop/cart.py`" in doubt.concern
    assert "tests/test_cart.py" not in doubt.concern


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "command",
    [
        "git add shop/till.py shop/cart.py",
        "git add shop/till.py ./shop/cart.py",
        "git add shop/",
        "git add 'shop/*.py'",
        "git add -A",
        "git add -u shop/till.py",
        "git add .",
        "git add shop/till.py $(git diff --name-only)",
        "cd shop && git add till.py cart.py",
        "git add shop/till.py\ngit commit -am 'till'",
        "git add shop/till.py\ngit add shop/cart.py",
        "git mv shop/prices.py shop/till.py",
        "git rm shop/prices.py",
    ],
)
def test_a_listed_file_that_a_commit_takes_in_is_not_doubted(tmp_path: Path, command: str) -> None:
    assert left_out(tmp_path, TASK.format(command)) == []


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- Modify: `shop/cart.py`", "- Modify: `shop/cart.py` (only if the tests need it)"),
        ("- Modify: `shop/cart.py`", "- Modify: `shop/till.py` (like `shop/cart.py`)"),
        ("- Modify: `shop/cart.py`", "- Modify: `shop/till.py` or `shop/cart.py`"),
        ("- Modify: `shop/cart.py`", "- Delete: `shop/cart.py`"),
        ("- Modify: `shop/cart.py`", "- Read: `shop/cart.py`"),
        ("- Modify: `shop/cart.py`", "- Modify: `frontend/cart.py`"),
        ("Change `add_item` in `shop/cart.py` so that it opens the till.", "In `shop/cart.py` no change is needed."),
        ("**Step 2: Commit**", "**Step 2: Commit (only if a fix was needed)**"),
        ("- [ ] **Step 1", "### Task 2: More\n\n- [ ] **Step 1"),
        ("### Task 1", "## Task 0\n\nNothing.\n\n### Task 1"),
    ],
)
def test_a_file_that_the_plan_leaves_open_is_not_doubted(tmp_path: Path, old: str, new: str) -> None:
    text = TASK.format("git add shop/till.py")
    assert old in text
    expected = ["shop/cart.py"] if new.startswith("## Task 0") else []
    assert left_out(tmp_path, text.replace(old, new)) == expected


def test_a_later_commit_may_take_it_in(tmp_path: Path) -> None:
    later = "### Task 2: The rest\n\n```bash\ngit add shop/cart.py\n```\n"
    assert left_out(tmp_path, f"{TASK.format('git add shop/till.py')}\n{later}") == []
    plain = "### Task 2: The rest\n" + "\n" * 30 + "```bash\ngit commit -m 'the rest'\n```\n"
    assert left_out(tmp_path, f"{TASK.format('git add shop/till.py')}\n{plain}") == []
    assert left_out(tmp_path, f"{later}\n{TASK.format('git add shop/till.py')}") == ["shop/cart.py"]


COUNTED = """### Task 1: The till

**Files:**
- Create: `{path}`

- [ ] **Step 1: Write the failing tests**

```{language}
{code}
```

- [ ] **Step 2: Run them**

Run: `{run}`
Expected: {told}
"""
PYTHON = (
    "import pytest\n\n\ndef test_open():\n    assert True\n\n\n"
    '@pytest.mark.parametrize("row", [1, 2, 3])\ndef test_rows(row):\n    assert row\n\n\n'
    "class TestTill:\n    def test_shut(self):\n        assert True\n"
)
SCRIPT = (
    "import { describe, it, expect } from 'vitest'\n\ndescribe('till', () => {\n  it('opens', () => {\n"
    "    expect(1).toBe(1)\n  })\n\n"
    "  it.each([\n    [1, 'a, b'],\n    [2, 'c'],\n  ])('counts %s', (row) => {\n    expect(row).toBe(row)\n  })\n})\n"
)
RUST = "#[test]\nfn opens() {\n    assert!(true);\n}\n\n#[tokio::test]\nasync fn shuts() {\n    assert!(true);\n}\n"
WRITTEN = {
    "python": ("tests/test_till.py", PYTHON, "pytest tests/test_till.py -v", 5),
    "ts": ("web/till.test.ts", SCRIPT, "npx vitest run web/till.test.ts", 3),
    "rust": ("crates/till/tests/open_till.rs", RUST, "cargo test -p till --test open_till", 2),
}


def plan(language: str, told: str, **changed: str) -> str:
    path, code, run, _ = WRITTEN[language]
    return COUNTED.format(**{"path": path, "language": language, "code": code, "run": run, "told": told, **changed})


def totals(folder: Path, text: str, **more: str) -> list[str]:
    return [each.concern for each in found(folder, text, Kind.TOTAL, **more)]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("language", sorted(WRITTEN))
@pytest.mark.parametrize(
    "told",
    [
        "{} passed",
        "PASS ({} tests)",
        "PASS — {} tests.",
        "PASS, {} tests.",
        "all {} tests PASS",
        "PASS (all {})",
        "`{} passed` (2 old + 7 new)",
        "PASS ({} tests: 2 existing + 7 new)",
        "{0}/{0} PASS",
        "PASS, {0}/{0}.",
        "{} 个测试 PASS",
    ],
)
def test_a_number_of_tests_that_the_plan_does_not_write_stands(tmp_path: Path, language: str, told: str) -> None:
    right = WRITTEN[language][3]
    assert totals(tmp_path / "right", plan(language, told.format(right))) == []
    (concern,) = totals(tmp_path / "wrong", plan(language, told.format(right + 1)))
    assert re.search(rf"has {right} tests at line \d+, not {right + 1};", concern)


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "text",
    [
        plan("python", "9 new tests pass"),
        plan("python", "about 9 passed"),
        plan("python", "9+ tests pass"),
        plan("python", "9 passed", run="pytest tests/test_till.py -k till"),
        plan("python", "9 passed", run="pytest tests/"),
        plan("python", "9 passed", code=PYTHON.replace("[1, 2, 3]", "ROWS")),
        plan("python", "9 passed", code=f"{PYTHON}\n\n# ... more tests\n"),
        plan("python", "9 passed", code=PYTHON.replace("class TestTill:", "class TestTill(Shared):")),
        plan("python", "9 passed", code=PYTHON.replace("def test_open", "@pytest.mark.skip\ndef test_open")),
        plan("python", "9 passed", code=PYTHON.replace("def test_open():", "def test_open(:")),
        plan("python", "9 passed").replace("- [ ] **Step 2", "Also add tests for the empty till.\n\n- [ ] **Step 2"),
        plan("python", "9 passed").replace("- Create:", "- Modify:"),
        plan("python", "6 passed").replace(
            "- [ ] **Step 2", "And this:\n\n```python\ndef test_more():\n    pass\n```\n\n- [ ] **Step 2"
        ),
        plan("ts", "9 passed", code=SCRIPT.replace("describe('till', () => {", "for (const till of tills) {")),
        plan("ts", "9 passed", code=SCRIPT.replace("it.each([\n    [1, 'a, b'],\n    [2, 'c'],\n  ])", "it.each(rows)")),
        plan("ts", "9 passed", code=SCRIPT.replace("it('opens'", "it.skip('opens'")),
        plan("rust", "9 passed", run="cargo test -p till"),
    ],
    ids=range(17),
)
def test_a_number_that_may_come_about_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert totals(tmp_path, text) == []


@pytest.mark.parametrize(("told", "settled"), [(6, "write what is missing"), (4, "take out what is too much")])
def test_what_settles_a_total_fits_its_direction(tmp_path: Path, told: int, settled: str) -> None:
    (doubt,) = found(tmp_path, plan("python", f"{told} passed"), Kind.TOTAL)
    assert doubt.alternative == f"Expect 5, or {settled}"


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("language", "run", "right"),
    [
        ("python", "pytest tests/test_till.py::TestTill", 1),
        ("python", "pytest tests/test_till.py::TestTill::test_shut tests/test_till.py::test_open", 2),
        ("ts", "npm test -- till", 3),
        ("ts", "npx jest --testPathPattern till", 3),
        ("rust", "cargo test --manifest-path shop/Cargo.toml --test open_till", 2),
    ],
)
def test_a_run_of_some_tests_is_counted_by_what_it_chooses(tmp_path: Path, language: str, run: str, right: int) -> None:
    assert totals(tmp_path / "right", plan(language, f"{right} passed", run=run)) == []
    assert totals(tmp_path / "wrong", plan(language, f"{right + 1} passed", run=run)) != []


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("language", "run"),
    [
        ("python", "pytest tests/test_till.py::TestDrawer"),
        ("python", "pytest 'tests/test_till.py::test_rows[1]'"),
        ("ts", "npm test -- drawer"),
        ("ts", "npm test -- till drawer"),
        ("rust", "cargo test -p shop-node --test drawer"),
    ],
)
def test_a_run_of_what_is_not_shown_is_not_counted(tmp_path: Path, language: str, run: str) -> None:
    assert totals(tmp_path, plan(language, "9 passed", run=run)) == []


@pytest.mark.rule("P20")
def test_a_word_that_several_files_of_tests_have_chooses_none(tmp_path: Path) -> None:
    there = {"web/till-drawer.test.ts": "it('opens', () => {})\n"}
    assert totals(tmp_path, plan("ts", "9 passed", run="npm test -- till"), **there) == []


@pytest.mark.rule("P17", "P20")
def test_an_outcome_without_a_command_is_that_of_the_last_run(tmp_path: Path) -> None:
    more = "\n\n- [ ] **Step 3: Write it**\n\nOpen the till, and close it.\n\nThen the drawer.\n\n{}\n"
    again = plan("python", "FAIL") + more + "- [ ] **Step 4: Run test, expect PASS** ({} passed).\n"
    assert totals(tmp_path / "right", again.format("", 5)) == []
    assert totals(tmp_path / "wrong", again.format("", 6)) != []
    assert totals(tmp_path / "other", again.format("Run: `go test ./...`", 6)) == []
    assert totals(tmp_path / "suite", again.format("", 6).replace("Run test,", "Run the full suite,")) == []


WRITTEN_BY_NAME = {
    "java": "class TillTests {{\n  {}@Test\n  void opens() {{}}\n\n  @Test\n  public void closes() {{}}\n}}",
    "swift": "final class TillTests: XCTestCase {{\n  func testOpen() {{}}\n  {}func testClose() {{}}\n}}",
    "php": "class TillTests extends TestCase {{\n  public function testOpen() {{}}\n  {}public function testClose() {{}}\n}}",
}


@pytest.mark.parametrize("ending", sorted(WRITTEN_BY_NAME))
def test_tests_that_a_name_makes_are_counted_unless_their_number_is_uncertain(ending: str) -> None:
    uncertain = {"java": "@Nested\n  ", "swift": "@Test(arguments: [1])\n  ", "php": "#[DataProvider('rows')]\n  "}
    counted = tests_written.tests_in(WRITTEN_BY_NAME[ending].format(""), ending)
    assert counted is not None
    assert list(counted.values()) == [1, 1]
    assert tests_written.tests_in(WRITTEN_BY_NAME[ending].format(uncertain[ending]), ending) is None


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    ("language", "run"),
    [("java", "mvn -B -pl shop test -Dtest=TillTests"), ("swift", "swift test --package-path shop --filter TillTests")],
)
def test_a_run_of_one_class_is_that_of_its_file(tmp_path: Path, language: str, run: str) -> None:
    path, code = f"shop/tests/TillTests.{language}", WRITTEN_BY_NAME[language].format("")
    code = f"// {path}\n{code}"
    text = COUNTED.format(path=path, language=language, code=code, run=run, told="2 passed")
    assert totals(tmp_path / "right", text) == []
    assert totals(tmp_path / "wrong", text.replace("2 passed", "3 passed")) != []


def test_tests_that_are_there_count_too(tmp_path: Path) -> None:
    there = {"tests/test_till.py": "def test_open():\n    pass\n\n\ndef test_old():\n    pass\n"}
    text = plan("python", "{} passed", code=PYTHON.replace("import pytest\n", "")).replace("- Create:", "- Modify:")
    assert totals(tmp_path, text.format(6), **there) == []
    assert totals(tmp_path, text.format(5), **there) != []


@pytest.mark.rule("P17", "P20")
def test_tests_of_later_steps_that_are_there_need_not_count(tmp_path: Path) -> None:
    """A tree may hold what the plan makes, and no step can count on what a later one writes."""
    later = "\n### Task 2: The drawer\n\n```python\n# tests/test_till.py\ndef test_drawer():\n    assert True\n```\n"
    text = plan("python", "{} passed", code=PYTHON.replace("import pytest\n", "")).replace("- Create:", "- Modify:") + later
    there = {"tests/test_till.py": f"{PYTHON}\n\ndef test_drawer():\n    assert True\n"}
    assert [totals(tmp_path, text.format(number), **there) != [] for number in (4, 5, 6, 7)] == [True, False, False, True]
    other = {"tests/test_till.py": there["tests/test_till.py"].replace("test_drawer", "test_old")}
    assert totals(tmp_path, text.format(5), **other) != []


def test_a_block_that_begins_as_a_file_does_may_be_all_of_it(tmp_path: Path) -> None:
    there = {"tests/test_till.py": "def test_open():\n    pass\n\n\ndef test_old():\n    pass\n"}
    for label in ("- Create:", "- Modify:"):
        text = plan("python", "{} passed", code=f"import pytest\n{PYTHON}").replace("- Create:", label)
        assert totals(tmp_path, text.format(5), **there) == []
        assert totals(tmp_path, text.format(9), **there) != []


@pytest.mark.rule("P20")
def test_a_path_that_is_not_written_out_is_not_missed(tmp_path: Path) -> None:
    text = TASK.replace("- Create: `shop/till.py`", "- Create: `shop/.../till.py`").replace("shop/cart.py", "shop/rows/page.py")
    assert left_out(tmp_path, text.format("git add shop/rows/page.py tests/test_cart.py")) == []


def test_cases_that_are_texts_are_counted() -> None:
    cases = "  it.each([\n    'a',\n    'b, c',\n    \"\",\n  ])('takes %s', (row) => {\n  })\n"
    text = f"describe('rows', () => {{\n{cases}  it('ends', () => {{\n  }})\n}})\n"
    assert tests_written.tests_in(text, "ts") == {"takes %s": 3, "ends": 1}
