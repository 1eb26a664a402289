"""Calls of a plan's code that do not fit what they call, where it is certain what that is; and calls that may fit."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, is_firm, shop
from counterproof.analysis.plans.doubts import Kind
from counterproof.analysis.plans.evidence import Grade
from counterproof.analysis.plans.examination import examine

MODEL = "from pydantic import BaseModel, ConfigDict, model_validator\n\n\nclass Receipt(BaseModel):\n    {}\n    number: int\n"
MORE = {
    "shop/receipts.py": MODEL.format('model_config = ConfigDict(extra="forbid")'),
    "shop/slips.py": MODEL.format('model_config = ConfigDict(extra="allow")').replace("Receipt", "PaperSlip"),
    "shop/bills.py": MODEL.replace("Receipt", "PaperBill").format(
        '@model_validator(mode="before")\n    def read(cls, row):\n        return row\n'
    ),
    "shop/notes.py": MODEL.replace("Receipt", "PaperNote").format(
        '@model_validator(mode="after")\n    def checked(self):\n        return self\n'
    ),
    "web/rows.ts": (
        "export function sumRows(rows: Row[], start: number) {\n  const total = rows.length + start\n  return total\n}\n"
    ),
    "docs/plans/same.md": "# A plan\n\n1. Give `Receipt` and `PaperNote` a `total=0`.\n",
    "docs/plans/before.md": "# Before\n\n1. Extend `total_price` in `shop/prices.py`: add `rounding=2` and `tax_free`.\n",
}
INNER = "export function Page() {\n  const pickRow = (id: string) => {\n    open(id)\n  }\n  return pickRow(1, 2)\n}"


def block(code: str, language: str = "python", lead: str = "Write this:") -> str:
    return f"{lead}\n\n```{language}\n{code}\n```\n\n"


def calls(folder: Path, text: str) -> list[str]:
    case = bench(shop(folder, **MORE), f"# A plan\n\nGoal: change it.\n\n{text}\n").case
    return [each.subject for each in examine(case) if each.kind is Kind.CALL and is_firm(each)]


WRITTEN = "- Create: `web/till.ts`\n\n" + block(
    "export function makeTill(id: string) {\n  return id\n}", "ts", "Create `web/till.ts`:"
)


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        (block("from shop.cart import add_item\n\nadd_item()"), "add_item"),
        (block("from shop.cart import add_item\n\nadd_item(cart)"), "add_item"),
        (block("from shop.cart import add_item\n\n# ...\nadd_item(\n    cart,  # what is there\n)"), "add_item"),
        (block("from shop.receipts import Receipt\n\nReceipt(number=1, total=2)"), "Receipt"),
        (block("from shop.notes import PaperNote\n\nPaperNote(number=1, total=2)"), "PaperNote"),
        (
            block("from shop.receipts import Receipt\n\nReceipt(number=1, total=2)")
            + block("class Other:\n    total: int\n\n\ndef count(total):\n    return total"),
            "Receipt",
        ),
        (block(INNER, "tsx"), "pickRow"),
        (block("func isOpen(row Row) bool {\n\treturn true\n}", "go") + block("if !isOpen() || done[row] {\n}", "go"), "isOpen"),
        (
            block("func isOpen(row Row) bool {\n\treturn true\n}\n\nvar x = isOpen()", "go")
            + block('git commit -m "placeholder: isOpen"', "bash"),
            "isOpen",
        ),
        (
            WRITTEN + block("import { makeTill } from '../web/till'\n\nmakeTill(1, 2)", "ts", "Create `tests/till.test.ts`:"),
            "makeTill",
        ),
        ("`sumRows` signature unchanged.\n\n" + block("sumRows(rows, 0, 'x')", "ts", "In `web/page.ts`:"), "sumRows"),
        (block("foo(sumRows)\nsumRows(rows, 0, 'x')", "ts", "In `web/page.ts`:"), "sumRows"),
        (
            "- Modify: `web/rows.ts`\n\n"
            + block("const all = sumRows(rows, 0, 'x')\nreturn all + 7\n", "ts", "In `web/rows.ts`, replace its last lines:"),
            "sumRows",
        ),
    ],
    ids=range(13),
)
def test_a_call_that_does_not_fit_stands(tmp_path: Path, text: str, subject: str) -> None:
    assert calls(tmp_path, text) == [subject]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "text",
    [
        block("from shop.slips import PaperSlip\n\nPaperSlip(number=1, total=2)"),
        block("from shop.bills import PaperBill\n\nPaperBill(number=1, total=2)"),
        "`Receipt` has a `total` from now on.\n\n" + block("from shop.receipts import Receipt\n\nReceipt(number=1, total=2)"),
        "The new field `total` is kept.\n\n" + block("from shop.receipts import Receipt\n\nReceipt(number=1, total=2)"),
        block("from shop.receipts import Receipt\n\nReceipt(number=1, total=2)")
        + block("class Receipt(BaseModel):\n    total: int"),
        block("from shop.receipts import Receipt\n\nReceipt(number=1, total=2)") + block("total: int = 0"),
        block("from shop.prices import total_price\n\ntotal_price(cart, rounding=2)"),
        block("from shop.cart import add_item\n\nadd_item(\n    cart,\n    # ... the rest as before ...\n)"),
        block(INNER.replace("(1, 2)", "(1)"), "tsx"),
        block("const { sumRows } = useRows()\nsumRows(rows, 0, 'x')", "ts", "In `web/page.ts`:"),
        block("rows.map((sumRows) => sumRows(1, 2, 3))", "ts", "In `web/page.ts`:"),
        "`sumRows` gets another parameter.\n\n" + block("sumRows(rows, 0, 'x')", "ts", "In `web/page.ts`:"),
        "- Modify: `web/rows.ts`\n\n"
        + block("const total = rows.length + start\nreturn total", "ts", "In `web/rows.ts`, replace these lines:"),
    ],
    ids=range(13),
)
def test_a_call_that_may_fit_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert calls(tmp_path, text) == []


TILL = "export function makeTill(id: string) {\n  return id\n}"
PACKED = {
    "docs/plans/far.md": f"# Far\n\n1. Use `Receipt`.\n\n{'More words. ' * 50}\n\n2. `Parcel` has a `weight=1`.\n",
    "docs/plans/near.md": "# Near\n\n1. Give `Receipt`:\n   - `colour`, a word\n",
    "shop/bags.py": "class Bag:\n    def __init__(self, number=1):\n        self.number = number\n",
    "tests/test_bag.py": "from shop.bags import Bag\n",
    "packages/kit/package.json": '{"name": "@shopkit/kit"}',
    "tsconfig.json": '{"compilerOptions": {"jsx": "react-jsx"}}',
}
NESTED = "def make_app():\n    def _shown(row):\n        return row\n\n    return [{}]"
HASHED = block("def _hashed(text):\n    return text", lead="Create `shop/hashes.py`:")
STAND_IN = block("const makeTill = vi.fn(() => 1)\ntest('x', () => {\n})", "ts", "Create `web/page.test.ts`:")
VARIANT = block("fn Ledger(name: &str, rows: usize) -> View {\n    view()\n}", "rust", "Create `src/view.rs`:")
GUARD = "fn is_closed(row: &Row) -> bool {\n    true\n}\n\nmatch found {\n    Err(row) if is_closed(&row, 1) => {\n    }\n}"
LEDGER = block("from shop.models import Ledger\n\nLedger()")
RECEIPT = block("from shop.receipts import Receipt\n\nReceipt(number=1, total=2)")


def from_module(module: str, call: str, head: str = "import {{ makeTill }} from '{}'") -> str:
    return WRITTEN + block(f"{head.format(module)}\n\n{call}", "ts", "Create `apps/page.ts`:")


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        (from_module("@shopkit/kit/tills", "makeTill(1, 2)"), "makeTill"),
        (from_module("../web/till", "makeTill(1, 2)", "const {{ makeTill }} = await import('{}')"), "makeTill"),
        (from_module("../web/till", "makeTill(1, 2)") + STAND_IN, "makeTill"),
        (block(TILL + "\n\nmakeTill(1, 2)", "ts", "Below the existing functions:"), "makeTill"),
        (block(TILL + "\n\nmakeTill(1, 2)", "ts", "Replace `web/rows.ts`:"), "makeTill"),
        (block(GUARD, "rust", "Create `src/rows.rs`:"), "is_closed"),
        (block(NESTED.format("_shown()")), "_shown"),
        (
            HASHED + block("from shop.hashes import _hashed\n\n_hashed('a', 'b')", lead="Create `tests/test_hashes.py`:"),
            "_hashed",
        ),
        (
            block("from shop.receipts import Receipt", lead="Create `tests/test_slips.py`:")
            + block("Receipt(number=1, total=2)", lead="Add to `tests/test_slips.py`:"),
            "Receipt",
        ),
        ("Add `count_all(rows, total)`.\n\n" + RECEIPT, "Receipt"),
        (RECEIPT + block("def check(self, total):\n    return total"), "Receipt"),
        (RECEIPT.replace("total", "weight"), "Receipt"),
        ("- Test: `tests/test_bag.py` (append)\n\n" + block("Bag(total=1)", lead="Append to `tests/test_bag.py`:"), "Bag"),
        (LEDGER + block("def __init__(self, *, rows=()):\n    self.rows = rows", lead="In `shop/other.py`:"), "Ledger"),
        (LEDGER + block("def clear(self):\n    self.rows = []", lead="In `shop/models.py`:"), "Ledger"),
    ],
    ids=range(15),
)
def test_a_call_of_what_is_provably_meant_stands(tmp_path: Path, text: str, subject: str) -> None:
    case = bench(shop(tmp_path, **MORE, **PACKED), f"# A plan\n\nGoal: change it.\n\n{text}\n").case
    assert [each.subject for each in examine(case) if each.kind is Kind.CALL and is_firm(each)] == [subject]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "text",
    [
        from_module("react", "makeTill(1, 2)"),
        from_module("@shopkitten/kit", "makeTill(1, 2)"),
        from_module("tills", "makeTill(1, 2)", "const {{ makeTill }} = await import('{}')"),
        from_module("../web/till", "makeTill(1, 2)", "const {{ other: makeTill }} = await import('{}')"),
        block(TILL, "ts", "Create `web/till.ts`:") + block("makeTill(1, 2)", "ts", "Find this, below the existing functions:"),
        block(TILL, "ts", "Create `web/till.ts`:") + block("makeTill(1, 2)", "ts", "Replace `makeTill`:"),
        block(GUARD.replace("Err(row) if is_closed(&row, 1)", "is_closed(row, 1)"), "rust", "Create `src/rows.rs`:"),
        block(NESTED.format("_shown(1)")),
        block(NESTED.format("_shown()").replace("    return [", "    _shown = other\n    return [")),
        block("class Till:\n    def _shown(self, row):\n        return row\n\n\n_shown()"),
        HASHED + block("from shop.others import _hashed\n\n_hashed('a', 'b')", lead="Create `tests/test_hashes.py`:"),
        "Add `Receipt(number, total)`.\n\n" + RECEIPT,
        RECEIPT + block("def __init__(self, total):\n    self.total = total"),
        RECEIPT + block("def check(self):\n    self.total = 1"),
        RECEIPT.replace("total", "colour"),
        "- Create: `tests/test_bag.py`\n\n" + block("Bag(total=1)", lead="Create `tests/test_bag.py`:"),
        LEDGER + block("def __init__(self, *, rows=()):\n    self.rows = rows", lead="In `shop/models.py`:"),
        VARIANT + block("enum Command {\n    Ledger(Args),\n}", "rust", "In `src/main.rs`:"),
        LEDGER + "1. Change `shop/models.py`.\n\n" + block("def __init__(self, *, rows=()):\n    self.rows = rows", lead="So:"),
    ],
    ids=range(19),
)
def test_a_call_of_what_may_be_another_thing_is_not_doubted(tmp_path: Path, text: str) -> None:
    case = bench(shop(tmp_path, **MORE, **PACKED), f"# A plan\n\nGoal: change it.\n\n{text}\n").case
    assert [each.subject for each in examine(case) if each.kind is Kind.CALL and is_firm(each)] == []


WRONG = "from shop.cart import add_item\nfrom shop.models import Ledger\n\nadd_item([], 'x', many=2)\nLedger('a', many=2)"


def test_one_argument_that_nothing_takes_is_one_mistake(tmp_path: Path) -> None:
    (doubt,) = examine(bench(shop(tmp_path), "# A plan\n\n" + block(WRONG)).case)
    assert (doubt.subject, doubt.grade) == ("add_item", Grade.ASKED)
    assert "`Ledger` (line 10)" in doubt.concern


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("lead", "count"),
    [
        ("Adjust the argument names to the real signatures:", 0),
        ("Adapt the arguments to what the actual constructors take:", 0),
        ("Adjust the colours to the real ones:", 1),
        ("Write this with care:", 1),
    ],
)
def test_words_before_a_block_may_leave_its_calls_open(tmp_path: Path, lead: str, count: int) -> None:
    assert len(examine(bench(shop(tmp_path), "# A plan\n\n" + block(WRONG, lead=lead)).case)) == count


ADD = "from shop.cart import add_item\n\nadd_item([], 'x', many=2)"


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("text", "count"),
    [
        (block(f"# Pseudocode: the names may be others\n{ADD}"), 0),
        (block(ADD, lead="Pseudo-code:"), 0),
        (block(ADD, lead="In `shop/cart.py` (i nomi possono variare, adatta):"), 0),
        (block(ADD, lead="Ejemplo:"), 0),
        (block(ADD, lead="例如："), 0),
        (block(ADD, lead="Create `shop/example.py`:"), 1),
        (block(ADD, lead="Adapt the till as follows:"), 1),
        (block(ADD) + "Adapt the arguments of the call to the existing ones.\n", 0),
        (block(ADD) + "> 字段名以现有 `shop/cart.py` 为准。\n", 0),
        (block(ADD) + "The existing arguments stay.\n", 1),
        (block(ADD) + "### Adapt the arguments to the existing ones\n", 1),
        (block(ADD) + block("x = 1", lead="Pseudo-code:"), 1),
        ("The exact rows depend on what the audit shows.\n\n" + block(ADD), 0),
        (block(ADD) + "Preserve the existing branch unchanged.\n", 0),
        (block(ADD) + "More text.\n\nIf the signature differs, keep what callers pass.\n", 0),
        (block(ADD) + "- [ ] **Step 2: Keep the existing rows**\n", 1),
        (block(ADD) + "Preserve the existing branch, with this:\n\n" + block("x = 1"), 1),
        (block(f"with pytest.raises(KeyError):\n    print(1)\n\n{ADD}"), 1),
    ],
    ids=range(18),
)
def test_a_block_may_say_that_it_is_no_code_yet(tmp_path: Path, text: str, count: int) -> None:
    found = examine(bench(shop(tmp_path), f"# A plan\n\nGoal: change it.\n\n{text}").case)
    assert [each.subject for each in found] == ["add_item"] * count


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    "text",
    [
        block("import pytest\nfrom shop.cart import add_item\n\nwith pytest.raises(TypeError):\n    add_item([], 'x', many=2)"),
        block("expect(() => sumRows(rows, 0, 'x')).toThrow()", "ts", "In `web/page.test.ts`:"),
        block("// @ts-expect-error\nsumRows(rows, 0, 'x')", "ts", "In `web/page.test.ts`:"),
    ],
    ids=range(3),
)
def test_a_call_that_is_meant_to_fail_is_no_mistake(tmp_path: Path, text: str) -> None:
    assert calls(tmp_path, text) == []
