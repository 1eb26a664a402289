"""`verify --diff`: a plan compared with its implementing change, step by step, with additional changes."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cli.command import counterproof
from counterproof.model.plan.carried_out import Asked, Carried, StepOutcome
from counterproof.model.plan.outline import Intent, Mention

PLAN = """# Rounding

## Task 1: Round

- Create: `shop/rounding.py`
- Modify: `shop/prices.py`

```python
# shop/rounding.py
def round_price(value):
    return round(value, 2)
```

## Task 2: Clean up

Remove `old_total()` from `shop/prices.py`.

- Modify: `shop/cart.py`
"""
PRICES = "def total(cart):\n    return sum(cart)\n\n\ndef old_total(cart):\n    return 0\n"
ROUNDED = "from shop.rounding import round_price\n\n\ndef total(cart):\n    return round_price(sum(cart))\n"
ROUNDING = "def round_price(value):\n    return round(value, 2)\n"


def committed(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_py", ".py").replace("_lock", ".lock")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for arguments in (("add", "-A"), ("-c", "user.email=a@b", "-c", "user.name=a", "commit", "-qm", "step")):
        subprocess.run(["git", *arguments], cwd=folder, check=True)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COUNTERPROOF_HOME", str(tmp_path / "home"))
    folder = tmp_path / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    (folder / "PLAN.md").write_text(PLAN)
    committed(folder, shop__prices_py=PRICES, shop__cart_py="from shop.prices import total\n")
    return folder


def held(folder: Path, change: str = "HEAD~1..HEAD") -> tuple[int, dict[str, object]]:
    ended = counterproof(
        "verify", str(folder / "PLAN.md"), "--repo", str(folder), "--diff", change, "--format", "json", "--quiet"
    )
    return ended.returncode, json.loads(ended.stdout) if ended.stdout.startswith("{") else {"error": ended.stderr}


def statuses(report: dict[str, object]) -> dict[str, str]:
    found = report["carried_out"]
    assert isinstance(found, dict)
    return {each["text"]: each["status"] for step in found["steps"] for each in step["asked"]}


def test_a_change_that_does_it_all_is_carried_out(shop: Path) -> None:
    committed(
        shop, shop__prices_py=ROUNDED, shop__rounding_py=ROUNDING, shop__cart_py="from shop.prices import total  # in cents\n"
    )
    code, report = held(shop)
    assert (code, report["verdict"]) == (0, "CARRIED OUT")
    assert set(statuses(report).values()) == {"done"}


def test_missing_and_additional_changes_are_reported_by_step(shop: Path) -> None:
    half = ROUNDED + "\n\ndef old_total(cart):\n    return 0\n"
    more = {"shop__extra_py": "x = 1\n", "uv_lock": "a\n", "tests__test_rounding_py": "def test_it(): pass\n"}
    committed(shop, shop__prices_py=half, shop__rounding_py=ROUNDING, **more)
    code, report = held(shop)
    assert (code, report["verdict"]) == (1, "NOT CARRIED OUT")
    assert statuses(report) == {
        "shop/rounding.py": "done",
        "shop/prices.py": "done",
        "old_total": "missing",
        "shop/cart.py": "missing",
    }
    found = report["carried_out"]
    assert isinstance(found, dict)
    assert [each["path"] for each in found["beyond"]] == ["shop/extra.py"]
    assert found["followed"] == ["tests/test_rounding.py", "uv.lock"]
    shown = counterproof("show", "latest").stdout
    assert "### Task 2: Clean up: not done" in shown
    assert "not changed" in shown
    assert counterproof("replay", "latest").returncode == 0


def test_a_file_that_came_elsewhere_is_done_otherwise(shop: Path) -> None:
    committed(shop, shop__prices_py=ROUNDED, lib__rounding_py=ROUNDING, shop__cart_py="x = 1\n")
    code, report = held(shop)
    assert code == 0
    assert statuses(report)["shop/rounding.py"] == "done otherwise"


def test_a_change_of_a_file_of_that_name_elsewhere_is_done_otherwise(shop: Path) -> None:
    (shop / "PLAN.md").write_text(PLAN.replace("Modify: `shop/cart.py`", "Modify: `till/cart.py`"))
    committed(shop, shop__prices_py=ROUNDED, shop__rounding_py=ROUNDING, shop__cart_py="x = 1\n")
    code, report = held(shop)
    assert (code, statuses(report)["till/cart.py"]) == (0, "done otherwise")


RENAMES = """# Names

## Task 1: Names

- Rename `old_total` to `plain_total` in `shop/prices.py`
- Move: `shop/extra.py` to `lib/extra.py`
- Keep: `shop/cart.py`
"""


@pytest.mark.rule("P21")
def test_renames_moves_and_kept_things_are_compared_too(shop: Path) -> None:
    (shop / "PLAN.md").write_text(RENAMES)
    committed(shop, shop__extra_py="x = 1\n")
    (shop / "shop/extra.py").unlink()
    committed(shop, shop__prices_py=PRICES.replace("old_total", "plain_total"), lib__extra_py="x = 1\n")
    code, report = held(shop)
    assert (code, set(statuses(report).values())) == (0, {"done"})
    committed(shop, shop__prices_py=PRICES, shop__extra_py="x = 1\n", shop__cart_py="from shop.prices import old_total\n")
    code, report = held(shop)
    assert code == 1
    assert statuses(report) == {
        "old_total to plain_total": "missing",
        "shop/extra.py to lib/extra.py": "missing",
        "shop/cart.py": "missing",
    }
    assert "changed, though the plan keeps it" in counterproof("show", "latest").stdout


@pytest.mark.rule("P21")
def test_file_moved_beyond_the_plan_is_reported_once_with_its_new_path(shop: Path) -> None:
    committed(shop, old__till__rows_py="a = 1\n", old__safe__rows_py="b = 2\n")
    for name in ("till", "safe"):
        (shop / f"old/{name}/rows.py").unlink()
    committed(shop, new__till__rows_py="a = 1\n", new__safe__rows_py="b = 2\n")
    _, report = held(shop)
    beyond = report["carried_out"]["beyond"]  # type: ignore[index]
    assert [(each["path"], each["what"]) for each in beyond] == [
        ("old/safe/rows.py", "moved to new/safe/rows.py"),
        ("old/till/rows.py", "moved to new/till/rows.py"),
    ]


def test_what_is_not_asked_for_outright_leaves_no_step_undone() -> None:
    spoken = Asked(1, 4, Mention.FILE, Intent.CREATES, "notes.md", False, Carried.MISSING)
    firm = replace(spoken, firm=True, intent=Intent.REMOVES, text="old.py")
    done = replace(firm, status=Carried.DONE)
    told = {(spoken,): "nothing asked for outright", (spoken, done): "done", (firm,): "not done", (firm, done): "partly done"}
    assert {asked: StepOutcome(1, "A", asked).status for asked in told} == told
    assert (spoken.became, firm.became, done.became) == ("not created", "still there", "done")


def test_the_work_tree_can_be_held_against_a_plan(shop: Path) -> None:
    (shop / "shop" / "prices.py").write_text(ROUNDED)
    code, report = held(shop, "HEAD")
    assert code == 1
    assert statuses(report)["shop/prices.py"] == "done"
    assert statuses(report)["shop/rounding.py"] == "missing"


def test_a_plan_that_asks_for_nothing_proves_nothing(shop: Path) -> None:
    (shop / "PLAN.md").write_text("# Plan\n\n1. Think about rounding.\n2. Talk to everybody.\n3. Decide how to go on.\n")
    committed(shop, shop__extra_py="x = 1\n")
    code, report = held(shop)
    assert code in (3, 4), report


@pytest.mark.parametrize(("change", "word"), [("nowhere..HEAD", "not a commit"), ("--output=x", "not a commit")])
def test_unknown_changes_are_refused_before_a_run_exists(shop: Path, tmp_path: Path, change: str, word: str) -> None:
    code, report = held(shop, change)
    assert code == 2
    assert word in str(report["error"])
    assert not (tmp_path / "home" / "runs").exists()


def test_a_folder_without_a_repository_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERPROOF_HOME", str(tmp_path / "home"))
    (tmp_path / "PLAN.md").write_text(PLAN)
    (tmp_path / "app.py").write_text("x = 1\n")
    code, report = held(tmp_path)
    assert code == 2
    assert "needs a git repository" in str(report["error"])


def test_a_folder_that_is_gone_is_removed_and_a_file_that_moved_is_not_called_removed(shop: Path) -> None:
    committed(shop, deploy__old__app_py="x = 1\n", deploy__new__keep_py="y = 1\n")
    (shop / "deploy/new/old").mkdir()
    (shop / "deploy/old/app.py").rename(shop / "deploy/new/old/app.py")
    (shop / "PLAN.md").write_text(
        "# Moves\n\n## Task 1: A\n\n- Delete: `legacy/parts/`\n\n## Task 2: B\n\n- Modify: `shop/cart.py`\n"
    )
    committed(shop, shop__cart_py="from shop.prices import old_total\n")
    _, told = held(shop)
    text = json.dumps(told)
    assert "moved to deploy/new/old/app.py" in text
    assert '"missing"' not in text.lower()


def test_each_step_is_asked_for_its_files_and_an_arrow_writes_none(shop: Path) -> None:
    arrow = "```ts\nrows.forEach((row) => row.label)\n```\n"
    (shop / "PLAN.md").write_text(
        f"# Rounding\n\n## Task 1: Sum\n\n- Modify: `shop/prices.py`\n\n{arrow}\n## Task 2: Name\n\n"
        "- Modify: `shop/prices.py`\n\n"
        "Change `old_total` so that it rounds.\n\n## Task 3: Talk\n\nTalk to everybody.\n"
    )
    committed(shop, shop__prices_py=ROUNDED)
    code, report = held(shop)
    found = report["carried_out"]
    assert isinstance(found, dict)
    asked = [(step["number"], each["text"], each["status"]) for step in found["steps"] for each in step["asked"]]
    assert asked[:2] == [(1, "shop/prices.py", "done"), (2, "shop/prices.py", "done")]
    assert (2, "old_total", "done otherwise") in asked
    assert "row.label" not in {text for _, text, _ in asked}
    assert code == 0


def test_a_file_that_another_step_touched_is_not_this_steps_work(shop: Path) -> None:
    given = "".join(f"def rounding_{name}(value):\n    return round(value, {name!r})\n" for name in ("cents", "euros", "pounds"))
    step = "\n## Task 2: More\n\n- Modify: `shop/prices.py`\n\n```python\n# shop/prices.py\n" + given + "```\n"
    (shop / "PLAN.md").write_text(
        f"# Rounding\n\n## Task 1: Sum\n\n- Modify: `shop/prices.py`\n{step}\n## Task 3: Talk\n\nTalk.\n"
    )
    committed(shop, shop__prices_py=ROUNDED)
    _, report = held(shop)
    found = report["carried_out"]
    assert isinstance(found, dict)
    (asked,) = found["steps"][1]["asked"]
    assert (asked["status"], "0 of 6 lines" in asked["where"]) == ("done otherwise", True)
    committed(shop, shop__prices_py=ROUNDED + given)
    _, report = held(shop, "HEAD~2..HEAD")
    found = report["carried_out"]
    assert isinstance(found, dict)
    assert [each["status"] for each in found["steps"][1]["asked"]] == ["done"]
