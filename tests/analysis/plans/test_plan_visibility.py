"""Which definition a call of a plan means: that of the block, else that of its file, else the only one that the file sees."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Kind
from counterproof.analysis.plans.examination import examine

FILES = {
    "till/read.go": "package till\n\nfunc readRows(ctx Context, name string, most int) int {\n\treturn most\n}\n",
    "desk/desk.go": "package desk\n\nfunc openDesk() {\n}\n",
    "desk/help_test.go": "package desk\n\nfunc showDesk(t *T, name string) {\n}\n",
    "web/rows.ts": (
        "export function sumRows(rows: Row[], start: number) {\n  return start\n}\n\n"
        "function hiddenRows(rows: Row[], start: number) {\n  return start\n}\n\n"
        "export function server() {\n  async function request(method: string, path: string) {\n    return path\n  }\n"
        "  return request\n}\n\n"
        "function passedRows(rows: Row[], start: number) {\n  return start\n}\n\nexport { passedRows }\n"
    ),
    "web/taking.ts": "import sumRows from 'rows'\n\nexport const taken = sumRows\n",
    "web/binding.ts": "export const sums = (sumRows: Sum) => {\n  return sumRows\n}\n",
    "web/own.test.ts": "function sumRows(rows: Row[]) {\n  return 1\n}\n\ntest('x', () => sumRows([]))\n",
    "web/passing.ts": "import { sumRows } from './rows'\n\nexport const passed = sumRows\n",
    "web/plain.ts": "export const plain = 1\n",
    "src/lib.rs": "fn inner_rows(rows: &Rows, start: u32) -> u32 {\n    start\n}\n",
    "src/open.rs": "pub fn open_rows(rows: &Rows, start: u32) -> u32 {\n    start\n}\n\nfn close_rows(rows: &Rows) {\n}\n",
    "src/other.rs": "use std::fs;\n",
    "src/taking.rs": "use outside::{open_rows, shut};\n",
    "shop/sums.py": "def sum_rows(rows, start):\n    return start\n\n\ndef _sum_all(rows, start):\n    return start\n",
    "shop/taking.py": "from outside import sum_rows\n\nprint(sum_rows)\n",
    "shop/plain.py": "PLAIN = 1\n",
}


def calls(folder: Path, path: str, code: str) -> list[str]:
    language = {"go": "go", "ts": "ts", "rs": "rust", "py": "python"}[path.rpartition(".")[2]]
    text = f"# A plan\n\nGoal: change it.\n\nAdd to `{path}`:\n\n```{language}\n{code}\n```\n"
    return [each.subject for each in examine(bench(shop(folder, **FILES), text).case) if each.kind is Kind.CALL]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("path", "code", "subject"),
    [
        ("till/more.go", 'var x = readRows(ctx, "a")', "readRows"),
        ("desk/more_test.go", "func TestX(t *T) {\n\tshowDesk(t)\n}", "showDesk"),
        ("web/plain.ts", "sumRows([], 0, 1)", "sumRows"),
        ("web/new.ts", "sumRows([], 0, 1)", "sumRows"),
        ("web/new.ts", "passedRows([], 0, 1)", "passedRows"),
        ("web/passing.ts", "sumRows([], 0, 1)", "sumRows"),
        ("web/own.test.ts", "sumRows([], 0)", "sumRows"),
        ("web/rows.ts", "hiddenRows([], 0, 1)", "hiddenRows"),
        ("src/other.rs", "let x = open_rows(&rows);", "open_rows"),
        ("src/other.rs", "let x = inner_rows(&rows);", "inner_rows"),
        ("src/open.rs", "let x = close_rows(&rows, 1);", "close_rows"),
        ("tests/rows.rs", "use shop::open::open_rows;\n\nfn all() {\n    open_rows(&rows);\n}", "open_rows"),
        ("shop/plain.py", "sum_rows([])", "sum_rows"),
    ],
)
def test_a_call_means_what_its_file_has_or_the_only_one_that_it_sees(tmp_path: Path, path: str, code: str, subject: str) -> None:
    assert calls(tmp_path, path, code) == [subject]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("desk/desk.go", 'var x = readRows(ctx, "a")'),
        ("desk/more_test.go", 'func TestX(t *T) {\n\tshowDesk(t, "a")\n}'),
        ("till/more_test.go", "func TestX(t *T) {\n\tshowDesk(t)\n}"),
        ("web/taking.ts", "sumRows([], 0, 1)"),
        ("web/binding.ts", "sumRows([], 0, 1)"),
        ("web/own.test.ts", "sumRows([])"),
        ("web/plain.ts", "hiddenRows([], 0, 1)"),
        ("web/plain.ts", "request(app)"),
        ("web/plain.ts", "import sumRows from 'rows'\n\nsumRows([], 0, 1)"),
        ("web/plain.ts", "import { addRows as sumRows } from 'rows'\n\nsumRows([], 0, 1)"),
        ("web/plain.ts", "const sumRows = require('rows')\n\nsumRows([], 0, 1)"),
        ("web/plain.ts", "const { sumRows } = await import('rows')\n\nsumRows([], 0, 1)"),
        ("src/other.rs", "let x = close_rows(&rows, 1);"),
        ("src/other.rs", "use outside::open_rows;\n\nfn all() {\n    open_rows(&rows);\n}"),
        ("src/taking.rs", "let x = open_rows(&rows);"),
        ("shop/taking.py", "sum_rows([])"),
        ("shop/plain.py", "_sum_all([])"),
    ],
)
def test_a_call_does_not_mean_what_its_file_cannot_see(tmp_path: Path, path: str, code: str) -> None:
    assert calls(tmp_path, path, code) == []


@pytest.mark.rule("P17", "P20")
def test_in_go_a_block_for_another_folder_defines_nothing_for_this_one(tmp_path: Path) -> None:
    head = "Add to `till/more.go`:\n\n```go\nfunc countRows(rows []int, most int) int {\n\treturn most\n}\n```\n\n"
    use = "Add to `{}/most.go`:\n\n```go\nvar x = countRows(rows)\n```\n"
    for folder, subjects in (("till", ["countRows"]), ("desk", [])):
        case = bench(shop(tmp_path / folder, **FILES), f"# A plan\n\n{head}{use.format(folder)}").case
        assert [each.subject for each in examine(case) if each.kind is Kind.CALL] == subjects
