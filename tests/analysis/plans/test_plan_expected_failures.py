"""Tests that are to fail and cannot, because they take nothing but types from the code; and those that may fail."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Grade
from counterproof.analysis.plans.examination import examine

CODE = (
    "import { expect, it } from 'vitest'\nimport type { Till } from '../web/till'\n\nit('has rows', () => {\n"
    "  const till: Till = { rows: [1] }\n  expect(till.rows).toHaveLength(1)\n})"
)
PLAN = """### Task 1: The till

- [ ] **Step 1: Write the failing test**

Create `tests/till.test.ts`:

```ts
{code}
```

- [ ] **Step 2: See it fail**

Run: `{run}`

Expected: {told}
"""


def found(folder: Path, more: str = "", files: dict[str, str] | None = None, **changed: str) -> list[Doubt]:
    text = PLAN.format(**{"code": CODE, "run": "npx vitest run tests/till.test.ts", "told": "FAIL, no till yet", **changed})
    case = bench(shop(folder, **(files or {})), f"# A plan\n\nGoal: a till.\n\n{text}\n{more}\n").case
    return [each for each in examine(case) if each.kind is Kind.OUTCOME and each.grade is Grade.STANDS]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("run", ["npx vitest run tests/till.test.ts", "bun test tests/till.test.ts"])
def test_a_test_of_types_alone_does_not_fail(tmp_path: Path, run: str) -> None:
    (doubt,) = found(tmp_path, run=run)
    assert "../web/till" in doubt.concern
    assert doubt.lines == (25,)
    assert doubt.places == ("plan:12",)


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "changed",
    [
        {"code": CODE.replace("import type", "import")},
        {"code": CODE.replace("\n\nit(", "\nimport { openTill } from '../web/open'\n\nit(")},
        {"code": CODE.replace("\n\nit(", "\nimport '../web/open'\n\nit(")},
        {"code": CODE.replace("const till", "await import('../web/open')\n  const till")},
        {"code": CODE.replace("const till", "// @ts-expect-error\n  const till")},
        {"code": CODE.replace("import type { Till } from '../web/till'\n", "")},
        {"run": "npx vitest run --typecheck tests/till.test.ts"},
        {"run": "npx jest tests/till.test.ts"},
        {"run": "npx tsc --noEmit"},
        {"told": "PASS"},
        {"more": "```ts\n// tests/till.test.ts\nimport { openTill } from '../web/open'\n```\n"},
        {"files": {"tests/till.test.ts": "import { openTill } from '../web/open'\n"}},
        {"files": {"vitest.config.ts": "export default { test: { typecheck: { enabled: true } } }\n"}},
    ],
    ids=range(13),
)
def test_a_test_that_may_fail_is_not_doubted(tmp_path: Path, changed: dict[str, str]) -> None:
    assert found(tmp_path, **changed) == []  # type: ignore[arg-type]
