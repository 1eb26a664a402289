"""Doubts about a plan's code in checked languages, about modules that it writes out, and about what code needs around it."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, is_firm, shop
from counterproof.analysis.plans.doubts import Kind
from counterproof.analysis.plans.evidence import GRADES, Evidence, Grade
from counterproof.analysis.plans.examination import examine
from counterproof.analysis.plans.heads import calls_in, heads_in

FILES = {
    "web/api.ts": "export async function loadCart(id: string, fresh?: boolean): Promise<Cart> {\n  return get(id)\n}\n",
    "web/rows.ts": "export const sumRows = (rows: Row[], start = 0) => rows.length\nexport function anyRows(...rows: Row[]) {}\n",
    "core/money.go": "package core\n\nfunc RoundMoney(value int, digits int) int {\n\treturn value\n}\n",
    "engine/src/plan.rs": "pub fn build_plan(rows: &[Row], mode: Mode) -> Plan {\n    todo!()\n}\n",
    "engine/src/run.rs": "use crate::plan::build_plan;\n\npub fn run_plan() {\n    build_plan(&[], Mode::Fast)\n}\n",
    "engine/old/run.c": "void run_old() { trace_plan(); }\n",
    "engine/src/trace.rs": "pub fn trace_plan() {}\n",
    "web/App.tsx": "export function App() {\n  const rowTotal = 3\n  const {\n    cart,\n  } = useCart()\n}\n",
    "web/Rows.tsx": "export function Rows() {\n  const setStatus = (id: string, to: string) => send(id, to)\n}\n",
    "web/useCart.ts": "export function useCart() {\n  return {}\n}\n",
    "engine/Cargo.toml": '[package]\nname = "engine"\n\n[dependencies]\nserde_json = "1"\n',
    "core/go.mod": "module example.com/core\n\nrequire github.com/spf13/cobra v1.8.0\n",
    ".env.example": "DATABASE_URL=\nAPI_TOKEN=\nCACHE_URL=\n",
    "ledger/stack.py": "def _enter_async_page(page):\n    return page\n",
    "ledger/types.py": "NAMES = ()\n",
    "ledger/book.py": "class LedgerBook:\n    def persist(self):\n        return 1\n",
    "ledger/models.py": "from django.db import models\n\n\nclass Entry(models.Model):\n    note = models.TextField()\n",
    "ledger/migrations/0001_initial.py": "operations = []\n",
    "db/schema.prisma": "model Entry {\n  id Int @id\n}\n",
    "db/migrations/1_init/migration.sql": "create table entry (id int);\n",
}


def block(code: str, language: str, lead: str = "Write this:") -> str:
    return f"{lead}\n\n```{language}\n{code}\n```\n\n"


def raised(folder: Path, text: str) -> list[tuple[Kind, str, str]]:
    case = bench(shop(folder, **FILES), f"# A plan\n\n{text}\n").case
    return [(each.kind, each.subject, each.concern) for each in examine(case)]


LEDGER = "- Create: `shop/ledger.py`\n\n" + block("def read_all():\n    return []\n", "python", "Create `shop/ledger.py`:")
DOUBTED = [
    (
        block("from .models import open_ledger\n\nopen_ledger(7)", "python", "Create `shop/close.py`:"),
        Kind.CALL,
        "open_ledger",
        "0",
    ),
    (
        block(
            "add_item([], 'x', 1, 2)", "python", "Append to `tests/test_cart.py` (the import stands beside the existing ones):"
        ),
        Kind.CALL,
        "add_item",
        "at most 3",
    ),
    (block("open_ledger(7)", "python", "Replace the block in `shop/cart.py` with this flow:"), Kind.CALL, "open_ledger", "0"),
    (
        "The guard `open_ledger` stays the existing one, add no other.\n\n" + block("open_ledger(7)", "python"),
        Kind.CALL,
        "open_ledger",
        "0",
    ),
    (
        block("import { loadCart } from './api'\n\nawait loadCart(id, true, 3)", "ts", "Create `web/page.ts`:"),
        Kind.CALL,
        "loadCart",
        "at most 2",
    ),
    (
        block("export function keepCart(cart: Cart): void {\n  put(cart)\n}", "ts", "Create `src/lib/keep.ts`:")
        + block("import { keepCart } from '$lib/keep'\n\nkeepCart(cart, 7)", "ts", "Create `src/routes/page.ts`:"),
        Kind.CALL,
        "keepCart",
        "at most 1",
    ),
    (block("const total = sumRows(rows, 0, 'x')", "tsx"), Kind.CALL, "sumRows", "web/rows.ts:1"),
    (block("func Pay() int {\n\treturn RoundMoney(3, 2, 1)\n}", "go"), Kind.CALL, "RoundMoney", "value, digits"),
    (block("let plan = build_plan(&rows, mode, 7)?;", "rust"), Kind.CALL, "build_plan", "engine/src/plan.rs:1"),
    (
        block("export function saveCart(cart: Cart, user: User): void {\n  put(cart)\n}", "ts")
        + block("it('saves', () => {\n  expect(saveCart(cart, user, true)).toBe(1)\n})", "ts"),
        Kind.CALL,
        "saveCart",
        "plan:",
    ),
    (block("const total = sumRows(rows, 0, 'x')", "ts", "Replace the loop with:"), Kind.CALL, "sumRows", "at most 2"),
    (block("const total = sumRows(rows, 0, 'x')", "ts", "Sum with the existing helper:"), Kind.CALL, "sumRows", "at most 2"),
    (block("use itertools::Itertools;\n\nlet a = 1;", "rust"), Kind.DEPENDENCY, "itertools", "No manifest"),
    (block('import (\n\t"fmt"\n\t"github.com/samber/lo"\n)', "go"), Kind.DEPENDENCY, "github.com/samber/lo", "No manifest"),
    (
        LEDGER + block("from shop.ledger import write_all\n\n\ndef test_it():\n    write_all()", "python"),
        Kind.IMPORT,
        "write_all",
        "the plan gives",
    ),
    (
        "- Create: `web/ledger.ts`\n\n"
        + block("export function readAll() {\n  return []\n}", "ts", "Create `web/ledger.ts`:")
        + block("import { writeEach } from './ledger'\n\ntest('a', () => {})", "ts", "Create `web/ledger.test.ts`:"),
        Kind.IMPORT,
        "writeEach",
        "web/ledger.ts",
    ),
    ("`LedgersBook.persist()` writes the rows.", Kind.SYMBOL, "LedgersBook", "`LedgerBook` comes closest"),
    (
        "### Task 1: Use\n"
        + block("return (\n  <SideWorkspace open={open}>\n    <p />\n  </SideWorkspace>\n)", "tsx")
        + "Run: `npm test`\n\n### Task 2: Make\n"
        + block("export default function SideWorkspace({ open }: Props) {\n  return null\n}", "tsx"),
        Kind.ORDER,
        "SideWorkspace",
        "needs `SideWorkspace`",
    ),
    (
        block("import { useCarts } from './useCarts'", "tsx", "In `web/App.tsx`, add:"),
        Kind.IMPORT,
        "./useCarts",
        "`web/useCart.ts` comes closest",
    ),
    ("Then add all three to `web/core/useCart.ts`'s list.", Kind.FILE, "web/core/useCart.ts", "web/useCart.ts"),
    ("Write the tests (port of `web/useCarts.ts`).", Kind.FILE, "web/useCarts.ts", "web/useCart.ts"),
    ("`build_plan` has no other callers.", Kind.UNUSED, "build_plan", "engine/src/run.rs:4"),
    ("`useCart` is never called anywhere.", Kind.UNUSED, "useCart", "web/App.tsx:5"),
    (
        block("use petgraph::graph::Graph;", "rust", "In `engine/src/plan.rs`, replace the entire file contents:"),
        Kind.DEPENDENCY,
        "petgraph",
        "No manifest",
    ),
    (
        "Builds on the rules of PRC/R-PII.\n\n### Task 1: A\n\n" + block("use petgraph::graph::Graph;", "rust"),
        Kind.DEPENDENCY,
        "petgraph",
        "No manifest",
    ),
    (block("token = os.environ['LEDGER_TOKEN']", "python"), Kind.SETTING, "LEDGER_TOKEN", ".env.example"),
    (block("const key = process.env.LEDGER_KEY!\nsend(key)", "ts"), Kind.SETTING, "LEDGER_KEY", ".env.example"),
    (
        block(
            "class Entry(models.Model):\n    note = models.TextField()\n    paid_at = models.DateField()",
            "python",
            "In `ledger/models.py`:",
        ),
        Kind.MIGRATION,
        "paid_at",
        "0001_initial",
    ),
    (
        block("model Entry {\n  id Int @id\n  paidAt DateTime\n}", "prisma", "In `db/schema.prisma`:"),
        Kind.MIGRATION,
        "paidAt",
        "migration.sql",
    ),
]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(("text", "kind", "subject", "word"), DOUBTED)
def test_code_that_cannot_work_is_doubted(tmp_path: Path, text: str, kind: Kind, subject: str, word: str) -> None:
    ((found, about, concern),) = raised(tmp_path, text)
    assert (found, about) == (kind, subject)
    assert word in concern


QUIET = [
    "Move the files:\n\n- `schema.prisma` → `db/deep/down/schema.prisma`",
    "Create dedicated rows in `db/parts/schema.prisma`.",
    "The scheduling side lies in the other repository (`migrations/usage/create.ts:57`), reuse it.",
    "**Create `context.loadCarts`**, for the build only.\n\n"
    + block("return function loadCarts(rows) {}", "js")
    + "Call `loadCarts()`.",
    "Extend `open_ledger` to open one by its number.\n\n" + block("open_ledger(7)", "python"),
    "`open_ledger` now accepts a number.\n\n" + block("open_ledger(7)", "python"),
    block("open_ledger(7)", "python", "Find this call and remove it:"),
    "`shop/prices.py`: remove the keys of the old tax.",
    "- Remove the old keys of `shop/prices.py`",
    "The old notes speak of `make wonders`, and nobody knows why.",
    block("if raw.endswith(':') and raw:\n    keep(raw[:-1])", "python", "In `shop/prices.py`, before the `total_price` chain:"),
    "- Create: `shop/close.py`\n\n"
    + block("import json\n\n\ndef shut(row):\n    return json.dumps(_as_row(row))", "python", "Create `shop/close.py`:")
    + block("def _as_row(row):\n    return row", "python", "Create `shop/rows.py`:"),
    "### Task 1: Use\n"
    + block("class Till {\n  cachedTotal(cart) {\n    return 0\n  }\n}", "ts")
    + block("const value = cachedTotal(cart)", "ts")
    + "\nRun: `make check`\n\n### Task 2: Make\n"
    + block("export function cachedTotal(cart) {\n  return 0\n}", "ts"),
    block("import { loadCart } from './api'\n\nawait loadCart(id)\nawait loadCart(id, true)", "ts", "Create `web/page.ts`:"),
    block("const total = sumRows(rows, 0, 'x')", "ts", "Replace:")
    + block("const total = sumRows(rows, 0, 'x')", "ts", "Existing code:"),
    block("anyRows(one, two, three)", "ts"),
    block("sumRows(rows, 0, 'x')", "js"),
    block("sumRows(...rows, 1, 2)\nsumRows(/* as before */ 1, 2, 3)", "ts"),
    block("const { sumRows } = useRows()\nsumRows(1, 2, 3)", "ts"),
    "`sumRows` gets a third parameter.\n\n" + block("sumRows(rows, 0, 'x')", "ts"),
    block("export const sumRows = (rows: Row[], start: number, by: string) => 0", "ts") + block("sumRows(rows, 0, 'x')", "ts"),
    block("import { sumRows } from 'other-rows'\n\nsumRows(rows, 0, 'x')", "ts") + "Run `npm install other-rows`.",
    block("rows.sumRows(1, 2, 3)\n// sumRows(1, 2, 3)\nlog('sumRows(1, 2, 3)')", "ts"),
    block("class A {\n  sumRows(a: number, b: number, c: number) {\n    return 1\n  }\n}", "ts"),
    block("use serde_json::json;\nuse crate::plan::build_plan;\nuse std::fs;\nuse engine::plan;", "rust"),
    "Run `cargo add itertools`.\n\n" + block("use itertools::Itertools;", "rust"),
    block('import (\n\t"fmt"\n\t"github.com/spf13/cobra"\n\t"example.com/core/money"\n)', "go"),
    LEDGER + block("from shop.ledger import read_all", "python"),
    LEDGER + block("def write_all():\n    return 1", "python") + block("from shop.ledger import write_all", "python"),
    LEDGER + "Then add `write_all` to it.\n\n" + block("from shop.ledger import write_all", "python"),
    LEDGER.replace("return []", "...") + block("from shop.ledger import write_all", "python", "In `shop/report.py`:"),
    "`LedgerBook.persist()` stays, `console.persist()` and `LedgerBooks.persist()` of a new `LedgerBooks` too.",
    "### Task 1: Use\n"
    + block("const rows = useState<SideWorkspace>()\nreturn <Outside />", "tsx")
    + "Run: `npm test`\n\n### Task 2: Make\n"
    + block("export interface SideWorkspace {\n  open: boolean\n}", "tsx"),
    block("token = os.environ.get('LEDGER_TOKEN', '')\nurl = os.environ['DATABASE_URL']", "python"),
    "Set `LEDGER_TOKEN` on the server.\n\n" + block("token = os.environ['LEDGER_TOKEN']", "python"),
    block("const key = process.env.LEDGER_KEY ?? 'none'\nif (process.env.NODE_ENV) stop()", "ts"),
    "Run `makemigrations`.\n\n"
    + block("class Entry(models.Model):\n    paid_at = models.DateField()", "python", "In `ledger/models.py`:"),
    block("class Entry(models.Model):\n    note = models.TextField(blank=True)", "python", "In `ledger/models.py`:"),
    block("class Row(models.Model):\n    paid_at = models.DateField()", "python", "In `shop/models.py`:"),
    "Use exact `Flask` 4.0.2 and nothing else.",
    "`trace_plan` is never called anywhere.",
    block("/** of loadCart(1, 2, 3) */\nexport const x = 1", "ts"),
    block("setStatus('open')", "tsx", "In `web/App.tsx`, add:"),
    block("await pages.enter_async_page(page)", "python"),
    block("import { useCarts } from './useCarts'", "tsx", "Beside `useCart`, in `web/App.tsx`, add:"),
    block(
        "/** Others may import ONLY this. */\ninterface Rows {\n  byId(id: string, day: string): Row\n}\n\n"
        "import { useCart } from './useCart'",
        "ts",
        "Create `web/rows.contract.ts`:",
    ),
    "The fields `rowTotals` and others may come one day.",
    block("from types import SimpleNamespace\n\ncart = SimpleNamespace()", "python"),
]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("text", QUIET, ids=range(len(QUIET)))
def test_code_that_may_work_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert raised(tmp_path, text) == []


def test_heads_are_read_by_their_brackets() -> None:
    text = (
        "export async function load(id: string, o?: { a: number; b: Map<string, R> }, cb: (x: R) => void = () => {}): R {\n"
        "const sum = async <T>(a: T, b: T) => a\nconst value = (a + b) * 2\nfunc Sum(a int, rest ...string) int {\n"
        "pub fn plan<'a>(&self, id: &'a str, rows: Vec<(u8, u8)>) -> Result<()> {\n"
    )
    found = {name: (head.names, head.least) if head else None for name, head in heads_in(text)}
    assert found == {"load": (("id", "o", "cb"), 1), "sum": (("a", "b"), 2), "Sum": None, "plan": (("id", "rows"), 2)}


def test_arguments_are_counted_by_their_brackets() -> None:
    text = (
        'load("a, b", { a: 1, b }, (x) => x + 1)\ncheck(a < b, c > d)\nleft(...)\n'
        'render(<Card title="a, b" />, { w })\n<p a={`x ${tint(1)}`}>\n'
        "tell({ text: 'not, found', rest: 'a\\nb' }, 3)\nplan::<Row>(&'a rows, 2)\n"
        "if keep(a, b) {\n  async head(a, b) {\n}\n"
    )
    counted = [(each.name, each.count) for each in calls_in(text)]
    assert counted == [("load", 3), ("check", 2), ("render", 2), ("tint", 1), ("tell", 2), ("plan", 2), ("keep", 2)]


def test_what_an_index_passes_on_is_asked_where_it_is_defined(tmp_path: Path) -> None:
    files = {"web/lib/index.ts": "export * from './log'\n", "web/lib/log.ts": "export function makeLog(name: string) {\n}\n"}
    call = block("import { makeLog } from '../lib'\n\nconst log = makeLog(GIVEN)", "ts", "In `web/jobs/run.ts`:")
    for given, found in (("'a'", []), ("'a', 2", ["makeLog"])):
        case = bench(shop(tmp_path, **files), f"# A plan\n\n{call.replace('GIVEN', given)}\n").case
        assert [each.subject for each in examine(case) if is_firm(each)] == found


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    "opening", ["- 本计划只能在 Phase -1D 全通过后执行。", "This plan may only be carried out after Phase 2."]
)
def test_work_that_must_be_done_before_is_read_in_any_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opening: str
) -> None:
    monkeypatch.setitem(GRADES, Evidence.MOVED_FILE, Grade.STANDS)  # whatever the record says of it today
    task = "### Task 1: A\n- Modify: `shop/web/cart.py`\n"
    for text, told in ((f"{opening}\n\n{task}", True), (task, False)):
        (doubt,) = examine(bench(shop(tmp_path, **FILES), f"# A plan\n\n{text}\n").case)
        assert (doubt.subject, "brings it" in doubt.alternative) == ("shop/web/cart.py", told)


def test_a_name_of_another_package_is_not_used_early(tmp_path: Path) -> None:
    use = "### Task 1: Use\n" + block("from pydantic import BaseThing\n\n\nclass Page(BaseThing):\n    x: int", "python")
    make = "### Task 2: Make\n" + block("class BaseThing:\n    pass", "python")
    text = f"Run `uv add pydantic`.\n\n{use}Run: `pytest tests`\n\n{make}"
    assert raised(tmp_path, text) == []
    assert [kind for kind, _, _ in raised(tmp_path, text.replace("from pydantic", "from shop.ledger"))] != []


@pytest.mark.parametrize(
    ("home", "name", "found"),
    [("web", "styles", []), ("phone", "styles", ["styles"]), ("else", "styles", []), ("web", "style", ["style"])],
)
def test_each_application_takes_its_own_module(tmp_path: Path, home: str, name: str, found: list[str]) -> None:
    files = {
        "apps/phone/src/lib/button.ts": "export const Button = 1\n",
        "apps/web/src/lib/button.ts": "export const Button = 1\nexport const styles = 2\n",
    }
    code = f"import {{ {name} }} from '@/lib/button'\n\nexport const row = {name}"
    text = "# A plan\n\n" + block(code, "ts", f"Create `apps/{home}/src/row.ts`:")
    assert [each.subject.rpartition(".")[2] for each in examine(bench(shop(tmp_path, **files), text).case)] == found
