"""Names that differ by little from one of the code: what was meant is told, and what may be meant otherwise stops nobody."""

from pathlib import Path

import pytest
from tests.analysis.plans.planned_shop import bench, shop

from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.evidence import Evidence, Grade
from counterproof.analysis.plans.examination import examine
from counterproof.analysis.plans.likeness import is_slip

FILES = {
    "pkg/till.go": "package pkg\n\nfunc writeJSON(w int) {\n}\n\nfunc openTill(name string) {\n}\n",
    "pkg/till_test.go": "package pkg\n\nfunc makeRow(n int) int {\n\treturn n\n}\n",
    "web/package.json": '{"name": "@shop/web", "dependencies": {"@shop/lib": "workspace:*", "rows-kit": "1.0"}}\n',
    "lib/package.json": '{"name": "@shop/lib"}\n',
    "lib/src/index.ts": "export function countRow() {\n  return 1\n}\n",
    "web/src/page.ts": (
        "import { useRow } from 'rows-kit'\nimport {\n  countRow,\n} from '@shop/lib'\n\n"
        "export function Page() {\n  const handlePay = () => {\n    countRow()\n  }\n  return handlePay\n}\n"
    ),
}


def block(code: str, language: str, lead: str) -> str:
    return f"{lead}\n\n```{language}\n{code}\n```\n"


def found(folder: Path, text: str) -> list[Doubt]:
    return list(examine(bench(shop(folder, **FILES), f"# A plan\n\n{text}").case))


GO = "Create `pkg/cash.go`:"
GO_TEST = "Create `pkg/cash_test.go`:"
TS = "In `web/src/page.ts`:"


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("text", "name", "near"),
    [
        (block("func shut() {\n\topenTills(rows)\n}", "go", GO), "openTills", "pkg/till.go:6"),
        (block("func shut() {\n\twriteJSONed(rows)\n}", "go", GO), "writeJSONed", "pkg/till.go:3"),
        (block("func TestRows(t *testing.T) {\n\tmakeRowed(3)\n}", "go", GO_TEST), "makeRowed", "pkg/till_test.go:3"),
        (block("import { countRowed } from '@shop/lib'\n\ncountRowed()", "ts", TS), "countRowed", "lib/src/index.ts:1"),
    ],
)
def test_what_code_calls_or_takes_as_the_projects_own_stands(tmp_path: Path, text: str, name: str, near: str) -> None:
    (doubt,) = found(tmp_path, text)
    assert (doubt.subject, doubt.evidence, doubt.grade) == (name, Evidence.SLIPPED_NAME, Grade.STANDS)
    assert doubt.places[0] == near


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    "text",
    [
        block("func shut() {\n\tshop.openTills(rows)\n}", "go", GO),
        block("func shut(openTills func(int)) {\n\topenTills(rows)\n}", "go", GO),
        "Add the helper `openTills`, which opens all of them.\n\n" + block("func shut() {\n\topenTills(rows)\n}", "go", GO),
        block("func shut() {\n\tmakeRowed(3)\n}", "go", GO),
        block("import { useRows } from 'rows-kit'\n\nuseRows()", "ts", TS),
        block("import { countRowed } from '@shop/rows'\n\ncountRowed()", "ts", TS),
        block("const handlePays = () => 1\nhandlePays()", "ts", TS),
    ],
)
def test_what_may_be_meant_otherwise_does_not_stand(tmp_path: Path, text: str) -> None:
    assert [each for each in found(tmp_path, text) if each.grade is Grade.STANDS and each.evidence is Evidence.SLIPPED_NAME] == []


def test_a_variable_of_a_function_is_meant_only_in_a_file_of_the_plan(tmp_path: Path) -> None:
    told = "In the `handlePayed` function, send the rows too."
    assert found(tmp_path, told) == []
    (doubt,) = found(tmp_path, f"- Modify: `web/src/page.ts`\n\n{told}")
    assert (doubt.subject, doubt.places) == ("handlePayed", ("web/src/page.ts:7",))


@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [
        ("writeJSON", "writeJSONer", True),
        ("writeJSON", "writeJSONs", True),
        ("openTill", "openTillNow", False),
    ],
)
def test_an_ending_after_large_letters_is_a_slip(one: str, other: str, slip: bool) -> None:
    assert is_slip(one, other) is slip
