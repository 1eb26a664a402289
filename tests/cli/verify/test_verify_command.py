"""`counterproof verify` as a user runs it."""

import json
import re
from pathlib import Path

import pytest

from analysis.plans.planned_shop import CLEAN, FLAWED, shop
from app.verify.test_verify_runs import DECIDED, decided
from cli.command import counterproof


def test_a_verdict_an_exit_code_and_files(tmp_path: Path) -> None:
    folder = shop(tmp_path / "shop", **{"PLAN.md": CLEAN})
    said = counterproof("verify", "--out", str(tmp_path / "out"), cwd=folder)
    assert (said.returncode, said.stdout.splitlines()[0]) == (
        0,
        "VERDICT   PROCEED. No objection to the plan remains. Nobody checked 1 of its 5",
    )
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "plan-iterations.yaml",
        "plan-report.html",
        "plan-report.json",
        "plan-report.md",
        "receipt.json",
    ]


@pytest.mark.rule("P13")
def test_a_pause_has_its_own_code_and_is_answered_later(tmp_path: Path) -> None:
    folder = shop(decided(tmp_path / "shop"), **{"plan.txt": DECIDED})
    paused = counterproof("verify", str(folder / "plan.txt"), "--repo", str(folder))
    assert paused.returncode == 6
    assert paused.stdout.startswith("VERDICT   PAUSE. Provisional: A question that blocks the plan is not answered.")
    assert "--answer C1=accept" in paused.stdout
    done = counterproof("verify", "--resume", "latest", "--answer", "C1=change: report.py too", "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["verdict"] == "PROCEED"
    again = counterproof("replay", "latest")
    assert (again.returncode, "same report, byte for byte, verdict PROCEED" in again.stdout) == (0, True)
    assert counterproof("show", "latest", "--format", "json").stdout == done.stdout
    assert "The user's answers\n  - change: report.py too" in counterproof("explain", "C1").stdout


def test_yes_goes_on_without_answers(tmp_path: Path) -> None:
    folder = shop(decided(tmp_path / "shop"), **{"PLAN.md": DECIDED})
    said = counterproof("verify", "PLAN.md", "--yes", "--format", "json", cwd=folder)
    assert (said.returncode, json.loads(said.stdout)["verdict"]) == (1, "REVISE")


def test_show_of_a_verification_prints_its_formats_and_refuses_others(tmp_path: Path) -> None:
    folder = shop(tmp_path / "shop", **{"PLAN.md": FLAWED})
    counterproof("verify", "PLAN.md", "--yes", "--quiet", cwd=folder)
    assert counterproof("show", "latest", "--format", "yaml", cwd=folder).stdout.startswith("---\niteration_state:\n")
    for words in (("show", "latest"), ("resume", "latest", "--quiet")):
        refused = counterproof(*words, "--format", "sarif", cwd=folder)
        assert (refused.returncode, "has no sarif report" in refused.stderr) == (2, True)


def test_the_page_links_to_the_lines_that_contradict_the_plan(tmp_path: Path) -> None:
    folder = shop(tmp_path / "shop", **{"PLAN.md": FLAWED})
    given = ("--source-url", "https://git.example.org/shop/{path}#L{line}")
    said = counterproof("verify", "PLAN.md", "--yes", "--format", "html", *given, cwd=folder)
    found = re.findall(r'href="https://git\.example\.org/shop/([\w/]+\.py)#L(\d+)"', said.stdout)
    assert found
    assert all(int(line) <= len((folder / path).read_text().splitlines()) for path, line in found)
    refused = counterproof("verify", "PLAN.md", "--source-url", "ftp://git.example.org", cwd=folder)
    assert (refused.returncode, "is not a URL template" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("missing.md",), "cannot be read"),
        ((), "no plan was named"),
        (("PLAN.txt", "--answer", "nonsense"), "is not of the form"),
        (("PLAN.txt", "--resume", "latest"), "a resumed run already has its plan"),
        (("--resume", "latest"), "there is no run"),
    ],
)
def test_mistakes_end_in_a_sentence(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    said = counterproof("verify", *arguments, cwd=shop(tmp_path / "shop"))
    assert said.returncode == 2
    assert why in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.rule("P21")
def test_the_intents_are_printed_without_a_run(tmp_path: Path) -> None:
    folder = shop(tmp_path / "shop", **{"PLAN.md": FLAWED})
    said = counterproof("verify", "PLAN.md", "--show", "intents", cwd=folder)
    rows = [line.split(maxsplit=4) for line in said.stdout.splitlines()[2:]]
    assert said.returncode == 0
    assert rows == [
        ["5", "1", "removes", "symbol", "old_total in shop/prices.py"],
        ["5", "1", "changes", "file", "shop/prices.py"],
        ["6", "2", "changes", "file", "shop/price.py"],
    ]
    assert counterproof("resume", "latest").returncode == 2


@pytest.mark.rule("P6", "P22")
def test_open_questions_end_as_proceed_with_questions_and_say_what_was_checked(tmp_path: Path) -> None:
    steps = "1. Remove `add_item()` from `shop/cart.py`.\n2. Tell everybody.\n3. Ask `nobody_at_all()`.\n"
    plan = f"# Items\n\nGoal: no items.\n\n{steps}"
    folder = shop(tmp_path / "shop", **{"PLAN.md": plan})
    said = counterproof("verify", "PLAN.md", cwd=folder)
    assert said.returncode == 0
    assert said.stdout.startswith("VERDICT   PROCEED WITH QUESTIONS.")
    assert "1 test file that the plan does not name still uses it: tests/test_cart.py:1. Should it change?" in " ".join(
        said.stdout.split()
    )
    assert (
        "CHECKED 1 of 2 statements checked; not checked: 1 line of prose (line 7); 2 more statements with nothing to look up"
    ) in " ".join(said.stdout.split())
    assert "SCORE     2 of 10" in said.stdout
    assert "NEXT      Start implementing; 1 question is open." in said.stdout
