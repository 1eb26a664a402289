"""A linter that is to find nothing, though the plan's own files import what they never use; and where that may be so."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Grade
from counterproof.analysis.plans.examination import examine

CODE = "import json\nfrom pathlib import Path\n\n\ndef read_till(path: Path) -> str:\n    return path.read_text()\n"
PLAN = """### Task 1: The till

**Files:**
- Create: `shop/till.py`

Create `shop/till.py`:

```python
{code}
```

Run: `{run}`
Expected: {told}
"""


def found(folder: Path, more: str = "", files: dict[str, str] | None = None, **changed: str) -> list[Doubt]:
    text = PLAN.format(**{"code": CODE, "run": "ruff check .", "told": "no errors", **changed})
    case = bench(shop(folder, **(files or {})), f"# A plan\n\nGoal: a till.\n\n{text}\n{more}\n").case
    return [each for each in examine(case) if each.kind is Kind.OUTCOME and each.grade is Grade.STANDS]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("run", "told", "files"),
    [
        ("ruff check .", "no errors", {}),
        ("uv run ruff check shop/ tests/", "All checks passed!", {}),
        ("cd shop && ruff check", "clean", {}),
        ("ruff check .", "0 errors", {"pyproject.toml": '[tool.ruff.lint]\nselect = ["E", "F"]\nignore = ["E501"]\n'}),
        ("just check", "all passed (lint, types)", {"justfile": "check:\n    uv run ruff check .\n    pytest\n"}),
    ],
    ids=range(5),
)
def test_an_import_that_nothing_uses_forbids_a_clean_outcome(tmp_path: Path, run: str, told: str, files: dict[str, str]) -> None:
    (doubt,) = found(tmp_path, run=run, told=told, files=files)
    assert "`json` at plan:13" in doubt.concern
    assert "Path" not in doubt.concern
    assert doubt.places == ("plan:13",)


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "changed",
    [
        {"code": CODE.replace("import json\n", "")},
        {"code": CODE.replace("import json\n", "import json  # noqa: F401\n")},
        {"code": CODE.replace("import json\n", "from __future__ import annotations\n")},
        {"code": CODE.replace("import json\n", "import json as json\n")},
        {"code": CODE + '\n\n__all__ = ["json", "read_till"]\n'},
        {"code": CODE + "\n\n# ... the rest of the till\n"},
        {"code": CODE.replace("def read_till(", "def read_till((")},
        {"run": "ruff check . --fix"},
        {"run": "ruff check tests/"},
        {"run": "ruff check --select E ."},
        {"run": "ruff format --check ."},
        {"told": "no new errors"},
        {"told": "it runs"},
        {"more": "```python\n# shop/till.py\ndef dumped(till):\n    return json.dumps(till)\n```\n"},
        {"files": {"pyproject.toml": '[tool.ruff.lint]\nselect = ["E", "W"]\n'}},
        {"files": {"ruff.toml": '[lint.per-file-ignores]\n"shop/*" = ["F401"]\n'}},
        {"files": {"ruff.toml": '[lint.per-file-ignores]\n"shop/*" = ["ALL"]\n'}},
        {"files": {"shop/till.py": "import json\n\nprint(json)\n"}},
        {"run": "just check", "files": {"justfile": "check:\n    ruff check --fix .\n"}},
    ],
    ids=range(19),
)
def test_an_outcome_that_may_come_about_is_not_doubted(tmp_path: Path, changed: dict[str, str]) -> None:
    assert found(tmp_path, **changed) == []  # type: ignore[arg-type]
