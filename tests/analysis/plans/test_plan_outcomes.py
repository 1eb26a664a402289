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
    "import { describe, it, expect } from 'vitest'\n\ndescribe('till', () => {\n  it('opens', () => {\n    expect(1).toBe(1)\n"
    "  })\n\n  it('closes', () => {\n  })\n})\n"
)


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("path", "code", "language", "run", "expected", "count"),
    [
        ("tests/test_till.py", PYTHON, "python", "pytest tests/test_till.py -v", "5 passed", 4),
        ("tests/test_till.py", PYTHON, "python", "pytest tests/test_till.py -v", "4 passed", 0),
        ("tests/test_till.py", PYTHON, "python", "pytest tests/test_till.py -k open", "5 passed", 0),
        ("tests/test_till.py", PYTHON + "# ... more tests\n", "python", "pytest tests/test_till.py", "5 passed", 0),
        ("tests/test_till.py", PYTHON, "python", "pytest tests/test_till.py::test_rows", "2 passed", 0),
        ("web/till.test.ts", VITEST, "ts", "npx vitest run web/till.test.ts", "Expected: PASS (5 tests)", 2),
        ("web/till.test.ts", VITEST, "ts", "npx vitest run web/till.test.ts", "2 passed", 0),
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


LINTED = "### Task 1: Till\n\n" + block("shop/till.py", "import json\nimport sys\n\nprint(sys.path)", label="Create")


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("run", "more", "stands"),
    [
        ("Run: `ruff check shop/`\nExpected: no errors", {}, True),
        ("Run: `ruff check shop/ --fix`\nExpected: no errors", {}, False),
        ("Run: `ruff check web/`\nExpected: no errors", {}, False),
        ("Run: `ruff check shop/`", {}, False),
        ("Run: `ruff check shop/`, fix what it finds\nExpected: no errors", {}, False),
        ("Run: `ruff check shop/`\nExpected: no errors", {"ruff.toml": 'select = ["E"]\n'}, False),
    ],
)
def test_a_clean_linter_over_an_unused_import_stands(tmp_path: Path, run: str, more: dict[str, str], stands: bool) -> None:
    assert [each.evidence for each in found(tmp_path, f"{LINTED}{run}\n", **more)] == ([Evidence.UNLINTED] if stands else [])


NEW = block("shop/limits.py", "import json\n\nprint(json.dumps({}))", label="Create")
MORE = "import json\n\n\ndef more(cart{}):\n    {}return json.dumps(TAX_RATE)"


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        (block("shop/limits.py", "import json\n\nprint(json.dumps(TAX_RATE))", label="Create"), Evidence.UNIMPORTED),
        (block("shop/cart.py", MORE.format("", "")), Evidence.UNIMPORTED),
    ],
)
def test_a_name_from_elsewhere_without_its_import_stands(tmp_path: Path, text: str, evidence: Evidence) -> None:
    assert [each.evidence for each in found(tmp_path, text)] == [evidence]


@pytest.mark.parametrize(
    "text",
    [
        NEW,
        block("shop/limits.py", "print(TAX_RATE)", label="Create"),
        block("shop/cart.py", "def more(cart):\n    return TAX_RATE"),
        block("shop/cart.py", MORE.format("", "...\n    ")),
        block("shop/cart.py", MORE.format(", TAX_RATE", "")),
        block("shop/cart.py", MORE.format("", "")).replace("Code for", "Before, in"),
        block("shop/cart.py", MORE.format("", "")).replace("Code for", "A sketch for"),
        block("shop/cart.py", MORE.format("", "")).replace("\n\n\ndef", "\n\n# and in models.py:\ndef"),
    ],
)
def test_a_name_that_the_file_may_have_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []


SCRIPT = "import {{ openBasket }} from './basket';\n\nexport const rows = () => openBasket({});"


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("code", "asked"),
    [
        (SCRIPT.format("MOST_ROWS"), True),
        (SCRIPT.format("'me'"), False),
        ("import { MOST_ROWS } from './basket';\n" + SCRIPT.format("MOST_ROWS"), False),
        (SCRIPT.format("((MOST_ROWS) => MOST_ROWS)('me')"), False),
        ("// ...\n" + SCRIPT.format("MOST_ROWS"), False),
        ("const a = = MOST_ROWS", False),
    ],
)
def test_a_script_name_from_elsewhere_without_its_import_is_asked_about(tmp_path: Path, code: str, asked: bool) -> None:
    doubts = found(tmp_path, block("web/src/checkout.ts", code, "ts"))
    assert [(each.evidence, each.is_question) for each in doubts] == ([(Evidence.SCRIPT_UNIMPORTED, True)] if asked else [])


@pytest.mark.rule("P20")
@pytest.mark.parametrize(("runs", "asked"), [("test: { globals: true }", False), ("test: {}", True)])
def test_functions_that_the_test_runner_gives_need_no_import(tmp_path: Path, runs: str, asked: bool) -> None:
    more = {
        "web/vitest.config.ts": f"export default {{ {runs} }};\n",
        "web/src/old.test.ts": "import { expect, it } from 'vitest';\n\nit('adds', () => expect(1).toBe(1));\n",
    }
    code = "import { kept } from './store';\n\nit('keeps', () => expect(kept).toBe('ab'));"
    doubts = found(tmp_path, block("web/src/store.test.ts", code, "ts", "Create"), **more)
    assert (Evidence.SCRIPT_UNIMPORTED in [each.evidence for each in doubts]) is asked
