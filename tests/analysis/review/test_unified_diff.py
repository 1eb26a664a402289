"""A change as people read it: removed and added lines in place, hunks widened to whole functions, no secrets of either side."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.review.changed_tree import changed, project_of
from counterproof.analysis.review.line_diff import changed_lines
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.analysis.review.unified import hunks, older_project, rows_of

BEFORE = (
    "import os\n\n\ndef first(rows):\n    check(rows)\n    total = sum(rows)\n    return total\n\n\n"
    + "".join(f"LINE_{number} = {number}\n" for number in range(20))
    + '\n\ndef last():\n    password = "hunter2-old-Secret!"\n    return password\n'
)
AFTER = BEFORE.replace("    check(rows)\n", "").replace('"hunter2-old-Secret!"', "os.environ['P']")
LINES = st.lists(st.sampled_from(["a", "b", "c", "", "    d"]), max_size=12)


def shown(tmp_path: Path, before: dict[str, str], after: dict[str, str], path: str) -> str:
    project = project_of(changed(tmp_path / "a", before, after))
    done = resolve(project, Wanted())
    found = hunks(project, older_project(project, done.before), path, done.before[path])
    return "\n".join(each.text for each in found)


@pytest.mark.rule("R42")
def test_a_removed_line_stands_where_it_was_and_the_function_is_whole(tmp_path: Path) -> None:
    text = shown(tmp_path, {"a.py": BEFORE}, {"a.py": AFTER}, "a.py")
    assert "@@ lines 1-7 @@" in text
    first = text.split("@@ lines")[1]
    assert [line[:1] for line in first.split("\n") if "def first" in line or "check(rows)" in line or "return" in line] == [
        " ",
        "-",
        " ",
    ]
    assert "LINE_10" not in text, "what is far from the change is not shown"


@pytest.mark.rule("R42")
def test_a_secret_that_the_change_takes_away_is_not_shown(tmp_path: Path) -> None:
    text = shown(tmp_path, {"a.py": BEFORE}, {"a.py": AFTER}, "a.py")
    assert "hunter2" not in text
    assert "-" in {line[:1] for line in text.split("\n") if "password" in line}


@given(LINES, LINES)
def test_a_diff_holds_both_texts_and_marks_what_is_under_review(before: list[str], after: list[str]) -> None:
    old, new = "\n".join(before) + "\n", "\n".join(after) + "\n"
    rows = rows_of(old, new)
    assert [row.text for row in rows if row.sign != "+"] == before or not any(before)
    assert [row.text for row in rows if row.sign != "-"] == after or not any(after)
    ranges = changed_lines(old, new)
    for row in rows:
        if row.sign == "+":
            assert any(low <= row.number <= high for low, high in ranges)
