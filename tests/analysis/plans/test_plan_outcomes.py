"""Checks of what a plan's own code lacks and of its expected outcomes: imports, object types, test totals, a clean linter."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.examination import examine

WEB = {
    "web/src/basket.ts": "export function openBasket(owner: string) {\n  return { owner };\n}\n\nexport const MOST_ROWS = 3;\n",
    "web/src/checkout.ts": "import { openBasket } from './basket';\n\nexport function pay() {\n  return openBasket('me');\n}\n",
    "web/src/types.ts": "export interface Row {\n  name: string;\n  count: number;\n  note?: string;\n}\n",
}


def found(folder: Path, text: str, **more: str) -> list[Doubt]:
    return list(examine(bench(shop(folder, **WEB, **more), f"# A plan\n\n{text}\n").case))


def block(path: str, code: str, language: str = "python", label: str = "Modify") -> str:
    return f"- {label}: `{path}`\n\nCode for `{path}`:\n\n```{language}\n{code}\n```\n\n"


PYTHON = (
    "import pytest\n\n\ndef test_open():\n    assert True\n\n\n"
    '@pytest.mark.parametrize("row", [1, 2, 3])\ndef test_rows(row):\n    assert row\n'
)
VITEST = (
    "import { it, expect } from 'vitest'\n\nit('opens', () => {\n  expect(1).toBe(1)\n})\n\nit.each([\n  [1],\n  "
    "[2],\n])('%s', (a) => {\n})\n"
)


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("path", "code", "language", "run", "expected", "count"),
    [
        ("tests/test_till.py", PYTHON, "python", "pytest tests/test_till.py -v", "5 passed", 4),
        ("tests/test_till.py", PYTHON, "python", "pytest tests/test_till.py -v", "4 passed", 0),
        ("tests/test_till.py", PYTHON, "python", "pytest tests/test_till.py -k open", "5 passed", 0),
        ("tests/test_till.py", PYTHON + "# ... more tests\n", "python", "pytest tests/test_till.py", "5 passed", 0),
        ("tests/test_till.py", PYTHON, "python", "pytest tests/test_till.py::test_rows", "All 2 tests pass", 3),
        ("web/till.test.ts", VITEST, "ts", "npx vitest run web/till.test.ts", "Expected: PASS (5 tests)", 3),
        ("web/till.test.ts", VITEST, "ts", "npx vitest run web/till.test.ts", "3 passed", 0),
        ("tests/test_till.py", PYTHON, "python", "pytest tests/test_till.py", "about 5 passed", 0),
        (
            "tests/test_till.py",
            PYTHON,
            "python",
            "x`\n\nAlso write tests for the rest.\n\nRun: `pytest tests/test_till.py",
            "5 passed",
            0,
        ),
    ],
)
def test_an_expected_total_other_than_the_written_tests_stands(
    tmp_path: Path, path: str, code: str, language: str, run: str, expected: str, count: int
) -> None:
    text = f"### Task 1: Till\n\n{block(path, code, language, 'Create')}Run: `{run}`\nExpected: {expected}\n"
    doubts = found(tmp_path, text, **{"package.json": '{"dependencies": {"vitest": "1"}}'})
    assert [each.evidence for each in doubts] == ([Evidence.MISCOUNTED] if count else [])
    assert all(f"{count} tests then" in each.concern for each in doubts)
