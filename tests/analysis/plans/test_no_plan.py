"""Which texts are plans at all (P16)."""

import pytest

from counterproof.analysis.plans.understanding import understand

README = """# shop

A small shop.

## Installation

Create a virtual environment and install the package:

```
pip install shop
```

## Usage

Add items to a cart. Use `shop.cart`.

## License

MIT
"""
CHANGELOG = """# Changelog

## [1.2.0] - 2025-01-01

- Add a cart.
- Fix totals.

## [1.1.0] - 2024-01-01

- Remove Python 3.8.
"""
LICENCE = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software\n"
FORM = """# Implementation Plan: [FEATURE NAME]

**Goal:** [One sentence describing what this builds]

### Task 1: [Component Name]

- [ ] Create [path/to/file]
- [ ] Write [the failing test]
- [ ] Add [minimal implementation]
"""
PROSE = "# On carts\n\nCarts have items. Items have prices.\n\nA total is a sum.\n"


@pytest.mark.rule("P16")
@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("LICENSE", LICENCE, "licence"),
        ("README.md", README, "guide"),
        ("CHANGELOG.md", CHANGELOG, "changelog"),
        ("shop/cart.py", "def add(cart):\n    # TODO: create a list\n    return cart\n", "source code"),
        ("templates/plan-template.md", FORM, "form"),
        ("docs/carts.md", PROSE, "no line"),
    ],
)
def test_what_is_no_plan_is_refused_with_the_reason(name: str, text: str, why: str) -> None:
    assert why in understand(f"/x/{name}", text).no_plan


@pytest.mark.rule("P16")
@pytest.mark.parametrize(
    "text",
    [
        "Fix the typo in `shop/cart.py`.\n",
        "# Faster totals\n\n1. Remove `old_total()`.\n2. Run the tests.\n",
        "# Python 3.11\n\n## 1.1 Use uv\n\n## 1.2 Drop six\n\n## 1.3 Annotate\n\nRemove `old_total()`.\n",
        "# ADR 7: Keep carts in Redis\n\n## Decision\n\nWe will keep carts in Redis.\n",
        "# README overhaul plan\n\n## Installation\n\nRewrite this section.\n\n## Usage\n\nAdd an example.\n",
        "# Tasks\n\n- [ ] T001 Create `shop/rounding.py`\n- [ ] T002 Add tests\n",
        "# Ticket 12\n\nThe total should be rounded. It must be done in `shop/prices.py`.\n",
        "# 重构方案\n\n## 1. 修改 `shop/cart.py`\n\n把总价移到 `shop/prices.py`。\n\n## 2. 测试\n\n运行测试。\n",
        "# Release 2 plan\n\n## 1.2.0\n\n- Add a cart.\n\n## 1.3.0\n\n- Remove totals.\n",
        "# Do it\n\n- Modify: `shop/cart.py`\n- Create: `shop/new.py`\n",
    ],
)
def test_plans_of_many_forms_are_read(text: str) -> None:
    assert understand("/x/note.md", text).no_plan == ""
