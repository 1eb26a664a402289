"""The file that a block of code names in its first line."""

import pytest

from counterproof.analysis.plans.blocks import code_of
from counterproof.analysis.plans.layout import Block


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    ("first", "path"),
    [
        ("// web/till-rows/open-till.tsx", "web/till-rows/open-till.tsx"),
        ("// web/till-rows.ts - the rows of a till", "web/till-rows.ts"),
        ("# shop/till.py — new", "shop/till.py"),
        ("# shop/till.py (new)", "shop/till.py"),
        ("<!-- web/till-page.html -->", "web/till-page.html"),
        ("# ---- the till", ""),
    ],
)
def test_a_comment_names_the_file_of_its_block(first: str, path: str) -> None:
    assert code_of(Block("text", 1, f"{first}\nx", ""), 0).path == path
