"""The file that a block of code names in its first line."""

import pytest

from counterproof.analysis.plans.blocks import code_of, parts_of
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


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    ("language", "text", "parts"),
    [
        ("ts", "// web/till.ts\nopen()\n\n// web/rows.ts\nrows()", [("web/till.ts", 10), ("web/rows.ts", 13)]),
        ("ts", "open()\n// web/rows.ts\nrows()", [("web/page.ts", 10), ("web/rows.ts", 11)]),
        (
            "diff",
            "--- a/shop/a.py\n+++ b/shop/a.py\n+one = 1\n--- a/shop/b.py\n+++ b/shop/b.py\n+two = 2",
            [("shop/a.py", 10), ("shop/b.py", 13)],
        ),
        ("ts", "// web/till.ts\nif (shut) {\n  // web/rows.ts\n  rows()\n}", [("web/till.ts", 10)]),
        ("python", "# shop/till.py\nopen()  # shop/rows.py\n# as shop/rows.py does\nrows()", [("shop/till.py", 10)]),
        ("bash", "# shop/till.py\ncat shop/till.py\n# shop/rows.py\ncat shop/rows.py", [("shop/till.py", 10)]),
    ],
)
def test_a_block_that_writes_several_files_is_read_file_by_file(language: str, text: str, parts: list[tuple[str, int]]) -> None:
    block = Block(language, 10, text, "Add to `web/page.ts`:" if text.startswith("open") else "")
    assert [(code_of(part, 0).path, part.first) for part in parts_of(block)] == parts
    assert "\n".join(part.text for part in parts_of(block)) == text
