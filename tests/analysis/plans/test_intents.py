"""The intents that a plan states, and the lines that state none (P21)."""

import pytest

from counterproof.analysis.plans.understanding import understand

Stated = tuple[str, str, str, str, str]


def stated(text: str) -> list[Stated]:
    found = understand("/x/plan.md", f"# A plan\n\n{text}\n").intents
    return [(each.intent.value, each.kind.value, each.text, each.to, each.home) for each in found]


@pytest.mark.rule("P21")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "- Create: `shop/a.py`, `shop/b.py`",
            [("creates", "file", "shop/a.py", "", ""), ("creates", "file", "shop/b.py", "", "")],
        ),
        ("- **Modify:** `shop/a.py:12-30` (`add_item`)", [("changes", "file", "shop/a.py", "", "")]),
        (
            "Files to delete:\n\n- `shop/a.py`\n- `shop/b.py` — and why",
            [("removes", "file", f"shop/{name}.py", "", "") for name in "ab"],
        ),
        ("## New files\n\n- `shop/a.py`", [("creates", "file", "shop/a.py", "", "")]),
        ("- Rename: `old_total` → `new_total`", [("renames", "symbol", "old_total", "new_total", "")]),
        ("- Move: `shop/a.py` to `lib/a.py`", [("moves", "file", "shop/a.py", "lib/a.py", "")]),
        ("- Keep: `shop/a.py`", [("keeps", "file", "shop/a.py", "", "")]),
        ("Do not change `shop/a.py`.", [("keeps", "file", "shop/a.py", "", "")]),
        (
            "1. Remove `old_total()` from `shop/prices.py`.",
            [("removes", "symbol", "old_total", "", "shop/prices.py"), ("changes", "file", "shop/prices.py", "", "")],
        ),
        ("1. Remove `old_total()`; nobody calls it.", [("removes", "symbol", "old_total", "", "")]),
        (
            "### Task 1: Remove `a_b` and `c_d`",
            [("removes", "symbol", "a_b", "", ""), ("removes", "symbol", "c_d", "", "")],
        ),
        ("1. Create `shop/a.py` with `first()` and `second()`.", [("creates", "file", "shop/a.py", "", "")]),
        ("| File | Work |\n|---|---|\n| `shop/a.py` | Modify |", [("changes", "file", "shop/a.py", "", "")]),
        (
            "| File | Work |\n|---|---|\n| `shop/a.py` / `b.py` | Delete: see `c.py` |",
            [("removes", "file", "shop/a.py", "", ""), ("removes", "file", "b.py", "", "")],
        ),
        (
            "- `shop/a.py` (new)\n- `shop/b.py` — deleted",
            [("creates", "file", "shop/a.py", "", ""), ("removes", "file", "shop/b.py", "", "")],
        ),
        (
            "```\nshop/\n├── a.py  # new\n├── c.py\n└── web/\n    └── b.py (modified)\n```",
            [("creates", "file", "shop/a.py", "", ""), ("changes", "file", "shop/web/b.py", "", "")],
        ),
        (
            "```bash\ngit rm shop/a.py\ngit mv shop/b.py shop/c.py\n```",
            [("removes", "file", "shop/a.py", "", ""), ("moves", "file", "shop/b.py", "shop/c.py", "")],
        ),
        (
            "```diff\n--- a/shop/a.py\n+++ b/shop/a.py\n-def gone(x):\n+def came(x):\n```",
            [("changes", "file", "shop/a.py", "", ""), ("removes", "symbol", "gone", "", "shop/a.py")],
        ),
    ],
)
def test_an_explicit_form_states_an_intent(text: str, expected: list[Stated]) -> None:
    assert stated(text) == expected


@pytest.mark.rule("P21")
@pytest.mark.parametrize(
    "text",
    [
        "1. Delete the `old_total()` fallback loop.",
        "1. Delete `old_total()` if nothing uses it.",
        "1. Users can add `a_b` and remove `c_d`.",
        "The tests create `shop/a.py` and\nremove `shop/b.py` again.",
        "1. Rename `old_total()` to `new_total()` and update all callers.",
        "1. Call `old_total()` from `shop/a.py`.",
        "- `shop/a.py` — remove the import",
        "Remove it. See `shop/a.py`.",
        "- Test: `tests/test_a.py`",
        "<!--\n- Delete: `shop/a.py`\n-->",
        "```python\n# Delete: `shop/a.py`\nremove(shop)\n```",
        "```\nshop/\n├── a.py\n└── b.py\n```",
    ],
)
def test_what_is_not_explicit_states_no_intent(text: str) -> None:
    assert stated(text) == []


@pytest.mark.rule("P21")
def test_an_intent_has_the_line_and_the_step_that_state_it() -> None:
    outline = understand("/x/plan.md", "# A plan\n\n## Task 1: A\n\n- Create: `a.py`\n\n## Task 2: B\n\n- Modify: `b.py`\n")
    assert [(each.text, each.line, each.step) for each in outline.intents] == [("a.py", 5, 1), ("b.py", 9, 2)]
