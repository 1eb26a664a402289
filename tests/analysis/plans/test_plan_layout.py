"""The lines of a plan inside code blocks (P17, P20)."""

import pytest

from counterproof.analysis.plans.layout import blocks_of, lines_of

DOCUMENT = """## Task 1: Write the notes

```markdown
# Notes

```json
{"rows": 1}
```

**Files:** `shop/gone.py`
```

## Task 2: Run it

```bash
make notes
```
"""


def prose(text: str) -> list[str]:
    return [line.text for line in lines_of(text) if not line.code and line.text]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("name", ["markdown", "md", "mdx", "Markdown"])
def test_a_document_with_blocks_of_its_own_ends_with_its_own_fence(name: str) -> None:
    text = DOCUMENT.replace("```markdown", f"```{name}")
    assert prose(text) == ["## Task 1: Write the notes", "## Task 2: Run it"]
    first, second = blocks_of(lines_of(text))
    assert first.text.splitlines()[-1] == "**Files:** `shop/gone.py`"
    assert (first.language, second.language, second.text) == (name.lower(), "bash", "make notes\n")


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("```markdown", "```text", id="no document"),
        pytest.param("**Files:** `shop/gone.py`\n```\n", "**Files:** `shop/gone.py`\n", id="the fence ends the document"),
        pytest.param(
            "**Files:** `shop/gone.py`\n```\n",
            "**Files:** `shop/gone.py`\n\n```\nmake\n```\n",
            id="the next one is of the plan",
        ),
    ],
)
def test_a_fence_that_ends_the_document_is_not_taken_for_another(old: str, new: str) -> None:
    assert "**Files:** `shop/gone.py`" in prose(DOCUMENT.replace(old, new))


def test_a_longer_fence_holds_shorter_ones() -> None:
    text = DOCUMENT.replace("```markdown", "````markdown").replace("gone.py`\n```", "gone.py`\n````")
    assert prose(text) == ["## Task 1: Write the notes", "## Task 2: Run it"]
    assert prose(text.replace("````", "~~~")) == prose(text)
