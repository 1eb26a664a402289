"""X20: a plan's own words never make its verdict better than what the repository shows. Words that leave one thing open weigh on
that thing alone; words near it, far from it, about everything or out of sight weigh on nothing, and mistakes only add up."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from analysis.plans.planned_shop import bench, doubts, shop
from counterproof.analysis.plans.evidence import GRADES, MANY, Evidence, Grade
from counterproof.analysis.plans.examination import examine
from counterproof.cli.main import app

PLAN = """# Rounding of prices

## Goal

Round the sums, and drop what is old.

### Task 1: Prices

- Modify: `shop/price.py`
- Modify: `shop/rows/models.py`
- Create: `shop/cart.py`
- Create: `shop/rounding.py`
- Create: `shop/cents.py`

Run: `make release`

### Task 2: Cleaning

- Modify: `shop/reports.py`
1. Remove `old_total()` from `shop/prices.py`.

`TAX_RATE` is currently 0.5.

### Task 3: Early

- Modify: `shop/cache.py`

### Task 4: Late

- Create: `shop/cache.py`
"""
SHORT = "# P\n\n### Task 1: A\n\n- Modify: `shop/price.py`\n- Create: `shop/cents.py`\n\n### Task 2: B\n\nRun: `make check`\n"
CLAIMS = ("- ", "Run", "1.", "`TAX")
EVERYTHING = "All names and paths here are illustrative; adjust to the actual ones wherever they live, if they exist."


def _after_claims(words: str) -> str:
    return "".join(f"{line}\n{words}\n" if line.startswith(CLAIMS) else f"{line}\n" for line in PLAN.split("\n"))


TALK = {
    "about everything": PLAN.replace("## Goal\n", f"## Goal\n\n{EVERYTHING}\n"),
    "about everything, at the end": f"{PLAN}\n## Notes\n\n{EVERYTHING}\n",
    "a list of names": f"{PLAN}\n`price`, `reports`, `make`, `cache` and `old_total` are placeholders, or whatever it has.\n",
    "on the next line": _after_claims("(adjust to the actual names)"),
    "on the next line, on something else": _after_claims("The `shop/other.py` of the host may not exist."),
    "on every claim": "\n".join(f"{line} (if it exists)" if line.startswith(CLAIMS) else line for line in PLAN.split("\n")),
    "out of sight": _after_claims("").replace("`\n", "` <!-- placeholder, if it exists -->\n"),
    "out of sight, over lines": f"{PLAN}\n<!--\n`shop/price.py` if it exists\n`make release` is a placeholder\n-->\n",
    "of other work": PLAN.replace("## Goal\n", "**Dependencies:** Phase 2 is complete.\n\n## Goal\n"),
    "of other callers": f"{PLAN}\nUpdate all callers of `report`.\n",
    "of another old form": f"{PLAN}\nKeep the old `report` as a deprecated alias.\n",
}


def standing(folder: Path, text: str) -> set[str]:
    folder.mkdir(parents=True, exist_ok=True)
    return {each.subject for each in doubts(folder, text) if each.grade is Grade.STANDS}


@pytest.mark.rule("X20", "P20")
@pytest.mark.parametrize("words", TALK)
def test_no_words_of_a_plan_talk_evidence_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.setitem(GRADES, Evidence.MOVED_FILE, Grade.STANDS)  # whatever the record says of it today
    plain = standing(tmp_path / "plain", PLAN)
    assert len(plain) == 6
    assert plain <= standing(tmp_path / "talking", TALK[words])


@pytest.mark.rule("X20")
@pytest.mark.parametrize("words", ["", *TALK])
def test_the_command_line_never_lets_such_a_plan_through(tmp_path: Path, home: Path, words: str) -> None:
    folder = shop(tmp_path / "shop", **{"PLAN.md": TALK.get(words, PLAN)})
    done = CliRunner().invoke(app, ["verify", str(folder / "PLAN.md"), "--repo", str(folder), "--yes"])
    assert done.exit_code == 1, done.output
    assert "PROCEED" not in done.output


ABOUT_IT = [
    ("- Modify: `shop/price.py`", "- Modify: `shop/price.py` (if it exists)"),
    ("- Modify: `shop/price.py`", "- Modify: `shop/price.py`, or wherever the sums live"),
    ("- Modify: `shop/price.py`", "- Modify: `shop/price.py`. Verify the exact path first"),
    ("Run: `make check`", "`shop/price.py` may be named otherwise; run `make check`"),
    ("Run: `make check`", "```bash\nfind . -name 'price*'\n```"),
]
ABOUT_ANOTHER = [
    ("- Modify: `shop/price.py`", "- Modify: `shop/price.py`, and `shop/cents.py` (if it exists)"),
    ("- Create: `shop/cents.py`", "- Create: `shop/cents.py` (if it is missing)"),
    ("Run: `make check`", "Run: `make check` (if the target exists)"),
    ("Run: `make check`", "`cents` and `price` are placeholders"),
    ("Run: `make check`", "```bash\nfind . -name 'cents*'\n```"),
]


@pytest.mark.rule("P20")
@pytest.mark.parametrize(("old", "new"), ABOUT_IT)
def test_a_thing_that_the_plan_leaves_open_is_asked(tmp_path: Path, old: str, new: str) -> None:
    (doubt,) = doubts(tmp_path, SHORT.replace(old, new))
    assert (doubt.subject, doubt.grade) == ("shop/price.py", Grade.ASKED)
    assert "leaves it open" in doubt.concern


@pytest.mark.rule("X20", "P20")
@pytest.mark.parametrize(("old", "new"), ABOUT_ANOTHER)
def test_words_about_another_thing_leave_nothing_open(tmp_path: Path, old: str, new: str) -> None:
    assert "shop/price.py" in standing(tmp_path, SHORT.replace(old, new))


@pytest.mark.rule("X20", "P20")
def test_a_plan_that_leaves_open_what_the_repository_answers_is_not_heard(tmp_path: Path) -> None:
    slips = ["shop/price.py", "shop/carts.py", "shop/reports.py"]
    assert len(slips) == MANY
    for count in range(1, MANY + 1):
        labels = "".join(f"- Modify: `{path}` (if it exists)\n" for path in slips[:count])
        assert len(standing(tmp_path / str(count), f"# P\n\n{labels}")) == (0 if count < MANY else MANY)


@pytest.mark.rule("X20", "P20")
def test_more_mistakes_of_one_kind_stand_too(tmp_path: Path) -> None:
    slips = "".join(f"- Modify: `shop/{name}.py`\n" for name in ("price", "carts", "reports", "model"))
    assert len(standing(tmp_path / "slips", f"# P\n\n{slips}")) == 4
    made = "".join(f"- Create: `shop/{name}.py`\n" for name in ("prices", "cart", "report"))
    (doubt,) = examine(bench(shop(tmp_path / "made"), f"# P\n\n{made}").case)
    assert doubt.grade is Grade.ASKED
    assert "Of 3 files that the plan creates 3 are there already" in doubt.concern
    either = made.replace("Create:", "Create/Modify:")
    assert standing(tmp_path / "either", f"# P\n\n{either}") == set()
