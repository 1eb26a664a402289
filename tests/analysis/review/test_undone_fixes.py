"""A change that undoes a fix is reported with that fix, unless it replaces the fix, says so or is much larger."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import after_commits
from counterproof.analysis.review.claims import Claim
from counterproof.analysis.review.kinds import claims_of

BROKEN = """
import re

PATTERN = re.compile(r"(a+)+b")


def parsed(rows, separator):
    words = []
    for row in rows:
        words += row.split(separator)
    return words


def joined(rows):
    return ",".join(rows)
"""
PATTERN = BROKEN.replace('r"(a+)+b"', 'r"a+b"')
RETIRED = BROKEN.partition("def parsed")[0] + BROKEN.partition("\n\n\n")[2].partition("\n\n\n")[2]
SPLIT = BROKEN.replace("row.split(separator)", 'row.split("-")')
CUT = '\n\ndef cut(row):\n    return row.split("-")\n'
STEP = BROKEN.replace("    return words\n", "    words.sort(key=str.casefold)\n    return words\n")
FIX = "Fix words of other separators"


def lost(folder: Path, commits: list[tuple[str, str]], now: str, said: str = "", name: str = "rows.py") -> list[Claim]:
    """Claims that name a commit, whichever class of edits made them."""
    found = claims_of(after_commits(folder, commits, now, said, name), ("logic", "invariants", "edge-cases"), documents=False)
    return [each for each in found if "commit" in each.why]


@pytest.mark.parametrize("mended", [PATTERN, SPLIT, STEP])
def test_code_reverted_to_before_a_fix_is_reported_with_the_fix(tmp_path: Path, mended: str) -> None:
    (claim,) = lost(tmp_path / "tree", [("Begin", BROKEN), (FIX, mended)], BROKEN)
    assert FIX in claim.why
    changed = [n for n, pair in enumerate(zip(BROKEN.split("\n"), mended.split("\n"), strict=False), 1) if pair[0] != pair[1]]
    assert claim.at.start == changed[0]


def test_undone_deletion_fix_is_reported(tmp_path: Path) -> None:
    (claim,) = lost(tmp_path / "tree", [("Begin", STEP), ("Fix order of the words", BROKEN)], STEP)
    assert claim.kind == "undone fix"
    assert "Fix order of the words" in claim.title


def test_an_old_copy_with_other_edits_still_takes_it_back(tmp_path: Path) -> None:
    now = BROKEN.replace('",".join(rows)', '", ".join(sorted(rows))')
    assert lost(tmp_path / "tree", [("Begin", BROKEN), (FIX, SPLIT)], now, "Join with spaces")


def test_scripts_are_read_too(tmp_path: Path) -> None:
    old = "export function total(rows) {\n  let sum = 0;\n  for (const row of rows) sum += row.price;\n  return sum;\n}\n"
    mended = old.replace("row.price", "row.price * row.count")
    assert lost(tmp_path / "tree", [("Begin", old), ("fix: count every piece", mended)], old, name="rows.js")


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (BROKEN, "Revert the change of separators"),
        (BROKEN, "The separator is what callers ask for, so split by it"),
        (SPLIT.replace('row.split("-")', 're.split("[-_]", row)'), ""),
        (SPLIT.replace('row.split("-")', "cut(row)") + CUT, ""),
        (RETIRED, ""),
    ],
    ids=["said", "spoken of", "written otherwise", "moved", "retired"],
)  # fmt: skip
def test_intended_or_replaced_fix_is_not_reported(tmp_path: Path, now: str, said: str) -> None:
    assert lost(tmp_path / "tree", [("Begin", BROKEN), (FIX, SPLIT)], now, said) == []


def test_lines_of_an_ordinary_commit_are_not_reported(tmp_path: Path) -> None:
    assert lost(tmp_path / "tree", [("Begin", BROKEN), ("Split by dashes", SPLIT)], BROKEN) == []


def test_comments_and_documentation_are_not_reported(tmp_path: Path) -> None:
    spoken = BROKEN.replace(
        "    words = []", '    """Every word of the rows, in their order."""\n    # an empty row has none\n    words = []'
    )
    assert lost(tmp_path / "tree", [("Begin", BROKEN), (FIX, spoken)], BROKEN) == []


def test_a_line_that_another_commit_brought_is_not_this_fix(tmp_path: Path) -> None:
    commits = [("Begin", BROKEN), (FIX, SPLIT), ("Back", BROKEN), ("Split by dashes", SPLIT)]
    assert lost(tmp_path / "tree", commits, BROKEN) == []
