"""What the repository says to a plan: doubts where a line or an empty search contradicts it, silence where the plan is fine."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import CLEAN, bench, doubts, shop
from counterproof.analysis.plans import risks
from counterproof.analysis.plans.doubts import Kind, read_claim
from counterproof.analysis.plans.evidence import GRADES, Evidence, Grade
from counterproof.analysis.plans.examination import examine
from counterproof.model.plan.challenge import Weight


def found(folder: Path, text: str) -> list[tuple[Kind, str]]:
    return [(each.kind, each.subject) for each in doubts(folder, f"# A plan\n\n{text}\n")]


def block(code: str, language: str = "python", lead: str = "Write this:") -> str:
    return f"{lead}\n\n```{language}\n{code}\n```\n"


def test_a_clean_plan_raises_nothing(tmp_path: Path) -> None:
    assert doubts(tmp_path, CLEAN) == []


DOUBTED = [
    ("1. Change `shop/price.py`.", Kind.FILE, "shop/price.py", "shop/prices.py"),
    (
        "- Modify: `shop/core/prices.py`\n\n" + block("x = 1", lead="In `shop/core/prices.py`:"),
        Kind.FILE,
        "shop/core/prices.py",
        "has no",
    ),
    ("- Create: `shop/cart.py`\n- Create: `shop/new_one.py`", Kind.EXISTING, "shop/cart.py", "is there already"),
    ("1. Change `total_prices()` in `shop/prices.py`.", Kind.SYMBOL, "total_prices", "total_price"),
    ("1. Run `make release`.", Kind.COMMAND, "make release", "no Makefile has a target"),
    ("1. Remove `old_total()` from `shop/prices.py`.", Kind.REMOVAL, "old_total", "shop/report.py:1"),
    ("- Delete: `shop/prices.py`", Kind.REMOVAL, "shop/prices.py", "shop/cart.py:1"),
    ("- `shop/prices.py` — remove after the switch", Kind.REMOVAL, "shop/prices.py", "shop/cart.py:1"),
    ("| File | Action |\n|---|---|\n| `shop/prices.py` | DELETE |", Kind.REMOVAL, "shop/prices.py", "shop/cart.py:1"),
    ("`total_price` has no other callers.", Kind.UNUSED, "total_price", "shop/cart.py"),
    ("`total_price` has only one caller.", Kind.COUNT, "total_price", "not 1"),
    ("`old_total` is only used in `shop/cart.py`.", Kind.UNUSED, "old_total", "shop/report.py"),
    ("`TAX_RATE` is currently 0.5.", Kind.VALUE, "TAX_RATE", "0.2"),
    ("We are on Flask 2.2.", Kind.VERSION, "Flask", "3.0.1"),
    (block("from shop.prices import total_prize"), Kind.IMPORT, "shop.prices.total_prize", "has no `total_prize`"),
    (block("import networkx\n\nnetworkx.draw()"), Kind.DEPENDENCY, "networkx", "No manifest"),
    (block("def more(cart):\n    return total_prices(cart)"), Kind.SYMBOL, "total_prices", "total_price"),
    (
        block("from shop.cart import add_item\n\nadd_item([], 'x', amount=2)"),
        Kind.CALL,
        "add_item",
        "takes no argument `amount`",
    ),
    (
        block("@dataclass\nclass Gap:\n    name: str\n    size: int = 0\n") + block("gap = Gap(name='a', retries=3)"),
        Kind.CALL,
        "Gap",
        "takes no argument `retries`",
    ),
    (
        "### Task 1: Use\n- Modify: `shop/cache.py`\n\n### Task 2: Make\n- Create: `shop/cache.py`",
        Kind.ORDER,
        "shop/cache.py",
        "Task 2",
    ),
    (
        "### Task 1: Use\n"
        + block("value = cached_total(cart)")
        + "\nRun: `pytest tests/test_cart.py`\n"
        + "\n### Task 2: Make\n"
        + block("def cached_total(cart):\n    return 0"),
        Kind.ORDER,
        "cached_total",
        "needs `cached_total`",
    ),
    ("### Task 1: A\nDepends on: Task 2\nAdd x.\n\n### Task 2: B\nAdd y.", Kind.ORDER, "Task 2: B", "Task 2"),
    (
        "- Test: `tests/test_carts.py`\n\n" + block("x = 1", lead="Add to `tests/test_carts.py`:"),
        Kind.FILE,
        "tests/test_carts.py",
        "test_cart",
    ),
    ("- `shop/price.py` — add the rounding\n- Modify: `shop/price.py`", Kind.FILE, "shop/price.py", "shop/prices.py"),
    ("The `total_prices` technical arguments stay.", Kind.SYMBOL, "total_prices", "total_price"),
    ("A clean run of a full-output `total_prices` call.", Kind.SYMBOL, "total_prices", "total_price"),
    ("1. Read the rows of `data/price_lists.csv`.", Kind.FILE, "data/price_lists.csv", "data/price_list.csv"),
    (
        "- Modify: `shop/web/forms/page.py`\n- Modify: `shop/web/rows/page.py`",
        Kind.FILE,
        "shop/web/rows/page.py",
        "shop/rows/page.py",
    ),
    ("The shape is a copy of `shop/web/core/forms/page.py`.", Kind.FILE, "shop/web/core/forms/page.py", "shop/web/forms/page.py"),
    ("The context:\n\n@shop/row/page.py\n", Kind.FILE, "shop/row/page.py", "shop/rows/page.py"),
    ("It is set in `shop/rows/core/page.py:1`.", Kind.FILE, "shop/rows/core/page.py", "shop/rows/page.py"),
    ("- Modify: `shop/money/prices.py`\n- Create: `shop/money/cents.py`", Kind.FILE, "shop/money/prices.py", "shop/prices.py"),
    ("- Modify: `shop/cash/CashBox.py`", Kind.FILE, "shop/cash/CashBox.py", "shop/web/forms/page.py"),
    (
        block("def old_total(cart):\n    return 0\n\n\ndef new_total(cart):\n    return 0", lead="Append to `shop/prices.py`:"),
        Kind.EXISTING,
        "old_total",
        "at line 8",
    ),
    (
        "files_modified:\n  - shop/core/prices.py\n\nOutput:\n- `shop/core/prices.py` — the sum without the tax",
        Kind.FILE,
        "shop/core/prices.py",
        "shop/prices.py",
    ),
    ("Run: `corepack make release`", Kind.COMMAND, "corepack make release", "no Makefile has a target"),
    (
        "在不影响现有行为的前提下，建立 Phase 3 的基础。\n\n### Task 1: A\n\n" + block("import networkx\n\nnetworkx.draw()"),
        Kind.DEPENDENCY,
        "networkx",
        "No manifest",
    ),
    (
        "### Task 1: Use\n"
        + block("vi.mock('./cache', () => ({ cachedTotal: vi.fn() }))\ndescribe('x', () => {})", "ts")
        + block("import { cachedTotal } from './cache'\nconst sum = cachedTotal([])", "ts")
        + "\nRun: `npm test`\n\n### Task 2: Make\n"
        + block("export function cachedTotal(cart: string[]) {\n  return 0\n}", "ts"),
        Kind.ORDER,
        "cachedTotal",
        "needs `cachedTotal`",
    ),
    (
        "### Task 1: Use\n"
        + block("use crate::cache::{CachedTotal, Other};\n\npub fn sum(of: CachedTotal) {}", "rust")
        + "\nRun: `cargo test`\n\n### Task 2: Make\n"
        + block("pub struct CachedTotal;\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n}", "rust"),
        Kind.ORDER,
        "CachedTotal",
        "needs `CachedTotal`",
    ),
    ("- Modify: `deploy/app.yml`", Kind.FILE, "deploy/app.yml", "deploy/app.yaml"),
    ("`TAX_RATE` in `shop/core/prices.py` stays, and `shop/core/` holds it.", Kind.FILE, "shop/core/prices.py", "shop/prices.py"),
    (
        "- Beside `shop/cart.py`, `Makefile` and `web/forms/core/page.py`.",
        Kind.FILE,
        "web/forms/core/page.py",
        "web/forms/page.py",
    ),
    (
        block("summed = old_total(cart, 3)", lead="**Step 3: Add the sum** (append to `shop/report.py` before the last line)"),
        Kind.CALL,
        "old_total",
        "at most 1 positional argument",
    ),
    ("Keep the `items = load(); total_prices(items)` calls.", Kind.SYMBOL, "total_prices", "total_price"),
    (block("sum := prices.total_prices(cart)", "go"), Kind.SYMBOL, "total_prices", "total_price"),
    (block("from shop.models import Order\n\nOrder(number=1, note='x')"), Kind.CALL, "Order", "takes no argument `note`"),
    (
        block("from shop.models import Order\n\nOrder(paid=True, number_hint=1)"),
        Kind.CALL,
        "Order",
        "takes no argument `number_hint`",
    ),
    (block("from shop.models import Order\n\nOrder(paid=True, lines=[])"), Kind.CALL, "Order", "also needs `number`"),
    (block("summed = total_price(cart, 3)"), Kind.CALL, "total_price", "at most 1 positional argument"),
    (
        block("from shop.models import Ledger\n\nledger = Ledger('a')\nledger.book(1, currency='x')"),
        Kind.CALL,
        "ledger.book",
        "`currency`",
    ),
    (
        block("from shop.models import Ledger\n\nledger = Ledger('a')\nprint(ledger.balance)"),
        Kind.MEMBER,
        "Ledger.balance",
        "has no `balance`",
    ),
    (
        block("from shop.models import open_ledger\n\nfound = open_ledger()\nprint(found.balance)"),
        Kind.MEMBER,
        "Ledger.balance",
        "it has",
    ),
    (block("from shop.models import settings\n\nprint(settings.vat_number)"), Kind.MEMBER, "Settings.vat_number", "has no"),
    (
        "- Create: `shop/rounding.py`\n\n"
        + block("import json\n\nprint(json.dumps(total_price([])))", lead="Create `shop/rounding.py`:"),
        Kind.UNBOUND,
        "total_price",
        "`total_price` comes from shop/prices.py:4",
    ),
    (
        block("def total_price(cart, tax):\n    return tax * len(cart)\n", lead="In `shop/prices.py`, find:"),
        Kind.QUOTE,
        "shop/prices.py",
        "line 4 has",
    ),
    (
        block("def total_price(cart, tax):", lead="In `shop/prices.py`, find (around line 4):"),
        Kind.QUOTE,
        "shop/prices.py",
        "line 4 has",
    ),
    (
        block("-    total = sum(everything)\n-    return total * two\n+    return 0", "diff", "`shop/prices.py`:"),
        Kind.QUOTE,
        "shop/prices.py",
        "quotes",
    ),
    ("1. Change `old_total` in `shop/cart.py`.", Kind.HOME, "old_total", "shop/prices.py:8"),
    (
        "| File | What | Action |\n|---|---|---|\n| `shop/price.py` | sums | Modify — the head |",
        Kind.FILE,
        "shop/price.py",
        "prices.py",
    ),
    ("Extend it with `total_prices(cart,\nround)` for reports.", Kind.SYMBOL, "total_prices", "total_price"),
    (
        "1. Run `pytest tests/test_carts.py::test_it -v`.",
        Kind.COMMAND,
        "pytest tests/test_carts.py::test_it -v",
        "does not exist",
    ),
    (
        "1. Remove `old_total()` from `shop/prices.py`.\n\nOther text.\n\nMore.\n\nThen.\n\nThe alias of the host stays.",
        Kind.REMOVAL,
        "old_total",
        "shop/report.py:1",
    ),
]


MISSED = [
    "**Files:**\n- Modify: `billing/ledger_book.py`",
    block("from shop.ledger import book"),
    "1. Run `python tools/export_all.py`.",
    "- Modify: `billing/ledger.py:12-40`",
    "files_modified:\n  - billing/ledger.py",
    "1. Run `python -m shop.exporting`.",
    "| File | Action |\n|---|---|\n| `billing/ledger.py` | Read |",
    "| File | Action |\n|---|---|\n| `billing/ledger.py` | Modify |",
]


@pytest.mark.rule("P20")
@pytest.mark.parametrize("text", MISSED)
def test_what_is_only_missing_is_not_raised(tmp_path: Path, text: str) -> None:
    assert doubts(tmp_path, f"# A plan\n\n{text}\n") == []


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(("text", "kind", "subject", "word"), DOUBTED)
def test_what_plan_or_code_contradicts_is_doubted(tmp_path: Path, text: str, kind: Kind, subject: str, word: str) -> None:
    (doubt,) = doubts(tmp_path, f"# A plan\n\n{text}\n")
    assert (doubt.kind, doubt.subject) == (kind, subject)
    assert word in doubt.concern
    assert doubt.lines
    assert doubt.places
    assert doubt.alternative


QUIET = [
    block("class Purse:\n    def __init__(self):\n        self.coins = 0\n\n    def sum(self):\n        return self._weighed()"),
    block("class Purse:\n    def __init__(self):\n        self.coins = 0\n\n    def sum(self):\n        return self.banknotes"),
    "- Test: `tests/test_next_gen.py`\n\nRun: `pytest tests/test_next_gen.py -v`",
    "**Produces:** `IgnoreMatcher`, `split_content`\n\nUse `IgnoreMatcher` in `shop/cart.py`.",
    "The query keeps `max_hops<=4` and `horizon<=3`.",
    "Run `/deepen-plan-beta` when the plan is thin.",
    "1. Add the setting `agent_version` to the table.\n2. Read `agent_version`.",
    "Do not reintroduce `buildUi`.",
    "| File | Purpose |\n|---|---|\n| `shop/new_part.py` | what it does |",
    "## New files\n\n- `shop/ledger.py`\n\n## Steps\n\n1. Change `shop/ledger.py` so that it prints.",
    block("class IgnoreRules:\n    def is_ignored(self, path):\n        return False") + "Call `is_ignored()` first.",
    "- Create: `shop/rounding.py`\n\n" + block("from shop.rounding import round_price\n\nround_price(1)"),
    "1. Remove `old_total()` and update all callers.",
    "1. Remove `old_total()` from `shop/prices.py` and its use in `shop/report.py`.",
    "1. Remove the call to `old_total()` in `shop/report.py`.",
    "1. Remove `old_total()` from `shop/prices.py`.\n\n" + block("def old_total(cart):\n    return 0", lead="Its heir:"),
    "1. Rename `old_total` to `summed_total`, keep the old name as a deprecated alias.",
    "We are on Flask 3.0 and requests 2.31. Upgrade Flask 3.0 to 3.1.2.",
    "1. Run `uv add networkx`.\n\n" + block("import networkx"),
    '1. After that:\n\n```toml\ngraph-tools = "0.6"\n```\n\n' + block("import graph_tools\n\ngraph_tools.go()"),
    "1. More for `requirements.txt`.\n\n```\ngraph-tools>=0.6\n```\n\n" + block("import graph_tools\n\ngraph_tools.go()"),
    block("import yaml_is_ours") + "\n- Create: `yaml_is_ours.py`",
    block("from shop.cart import add_item\n\nadd_item([], 'x', count=2)"),
    "Add a field `retries` to `Gap`.\n\n"
    + block("@dataclass\nclass Gap:\n    name: str")
    + block("gap = Gap(name='a', retries=3)"),
    block("from shop.entities import Thing", lead="Change your imports from:"),
    "### Task 1: Failing test\n"
    + block("def test_it():\n    assert cached_total([]) == 0")
    + "\n### Task 2: Make\n"
    + block("def cached_total(cart):\n    return 0"),
    "### Task 1: Use\n"
    + block("def later():\n    from shop.ledger_book import write_all\n    write_all()")
    + "\n### Task 2: Make\n- Create: `shop/ledger_book.py`\n"
    + block("def write_all():\n    return 0"),
    "### Task 1: Use\n"
    + block("value = cached_total(cart)")
    + "\n### Task 2: Make\n"
    + block("def cached_total(cart):\n    return 0")
    + "\nRun: `pytest tests/test_cart.py`",
    "### Task 1: Use\n"
    + block("value = cached_total(cart)  # Task 2")
    + "\n### Task 2: Make\n"
    + block("def cached_total(cart):\n    return 0"),
    "### Task 1: Service\n"
    + block("export class Auth {\n  async wxLogin(code: string) {\n    return code\n  }\n}", "ts")
    + "\n### Task 2: Client\n"
    + block("export function wxLogin(code: string) {\n  return post(code)\n}", "ts"),
    "Call `Total_Price()` of the framework.",
    "**Files:**\n- Create: `billing/prices.py`\n\n" + block("x = 1", lead="Create `billing/prices.py`:"),
    "### Task 1: Make\n"
    + block("let currentColumns = [];", "js")
    + "\nRun: `npm test`\n\n### Task 2: Use\n- Consumes: `currentColumns`\n\n### Task 3: More\n"
    + block("function more() {\n  return currentColumns\n}", "js"),
    "- Create: `tests/test_one.py`\n- Create: `tests/test_two.py`\n\n"
    + block("def _context():\n    return 1", lead="In `tests/test_one.py`:")
    + block("def test_two():\n    assert _context('judge')", lead="In `tests/test_two.py`:"),
    block('dependencies = [\n    "requests>=2.31",\n]', "toml") + block("import requests\nimport urllib3"),
    "- Test: `tests/test_ledgers.py`\n\n" + block("x = 1", lead="Add to `tests/test_ledgers.py`:"),
    "- Test: `tests/shop/test_cart.py`\n- Create: `tests/shop/__init__.py`",
    "- Create: `tests/test_carts.py`",
    "The client calls `totalPrices()` of the page.",
    block("const [open, setOpenned] = useState(false)\nsetOpenned(true)", "ts"),
    block("from shop.models import Order\n\nOrder(number=1)\nOrder(number=1, paid=True)"),
    "`Order` gets a `note`.\n\n" + block("from shop.models import Order\n\nOrder(number=1, note='x')"),
    block("class Order(Base):\n    note: str\n") + block("from shop.models import Order\n\nOrder(number=1, note='x')"),
    block("from shop.models import Ledger\n\nledger = Ledger('a')\nledger.book(1)\nprint(ledger.name, ledger.rows)"),
    block("from shop.models import Ledger\n\nledger = Ledger('a')\nledger = other()\nprint(ledger.balance)"),
    block("from shop.models import Open\n\nprint(Open().whatever)\nthing = Open()\nprint(thing.whatever)"),
    block("from shop.models import settings\n\nprint(settings.currency, settings.model_dump())"),
    "- Create: `shop/rounding.py`\n\n"
    + block("import json\n\n# ... the rest as before\nprint(json.dumps(total_price))", lead="Create `shop/rounding.py`:"),
    "- Create: `shop/rounding.py`\n\n"
    + block("import json\n\nprint(json.dumps([each for each in range(3)]))", lead="Create `shop/rounding.py`:"),
    "- Create: `shop/rounding.py`\n\n" + block("import json\n\nprint(_left_to_you(json))", lead="Create `shop/rounding.py`:"),
    block("value = total_prizes_of(cart)"),
    block("summed = total_price(cart)\nsome.total_price(cart, 3)"),
    block("def more(total_price):\n    return total_price(1, 2)"),
    "The other project keeps it in `backoffice/app/prices.py`.",
    block("def total_price(cart):\n    ...", lead="In `shop/prices.py`, find:"),
    block("-    return sum(item.price * count for item, count in cart)\n+    return 0", "diff", "`shop/prices.py`:"),
    block("def brand_new(cart):\n    return brand_new_thing", lead="In `shop/prices.py`, after the existing code add:"),
    "1. Run `python -m shop.cart`, `python -m http.server` and `pytest tests/test_cart.py::test_adding`.",
    "1. Run `make release`.\n\n" + block("release:\n\tgit tag", "make", "In `Makefile`:"),
    "1. Run `pytest tests/unit/test_nowhere.py::test_it -v`.",
    "1. Use `old_total` in `shop/cart.py`.\n2. Add `old_total` in `shop/cart.py`.\n3. Change `total_price` in `shop/prices.py`.",
    "1. Remove `old_total()` from `shop/prices.py`; `old_total` stays as a deprecated alias.",
    "`total_price` will have no other callers after this step.",
    "1. Write `dist/out.txt` from `prices.py`.",
    "- `shop/prices.py`: Remove unused constants\n- `shop/cart.py` — drop the import",
    "| File | Action |\n|---|---|\n| `shop/prices.py` | Remove 4 dead methods |\n| `shop/cart.py` | Remove the menu, test it |",
    "Vague words such as `use best practices` or `make it robust` are found.",
    "Say `make it robust`, `make sure`, and `make check` too.",
    "`total_price` 的签名改为 `(cart, rate)`。\n\n" + block("summed = total_price(cart, rate=3)"),
    "1. Write the rows to `data/price_totals.csv`.",
    "1. Move the rows, a copy of `shop/rows/page.py`, to `shop/rows/core/page.py`.",
    "- Create: `deploy/app.yml`",
    "It is the same as `deploy/app.yml`.",
    block("def old_total(cart):\n    return 0", lead="Add the rounding so that `shop/prices.py` reads:"),
    "Change `old_total`.\n\n" + block("def old_total(cart):\n    return 0", lead="Add to `shop/prices.py`:"),
    block("def old_total(cart):\n    ...\n    return 0", lead="Add to `shop/prices.py`:"),
    block("def new_total(cart):\n    return old_total(cart)", lead="Append to `shop/prices.py`:"),
    block("def old_total(cart):\n    return 0", lead="Append to `shop/prices.py`:"),
    "- Modify: `backoffice/money/prices.py`",
    "Change `shop/models.py`.\n\n"
    + block("from shop.models import Ledger\n\nledger = Ledger('a')\nledger.book(1, currency='x')\nprint(ledger.balance)"),
    "It is the same in `web/page.py`.",
    "- Create: `shop/rounding.py` (copy `shop/cart.py`)\n- Create: `shop/cents.py`, like `shop/prices.py`",
    "- Modify: `shop/web/rows/cart.py`\n- Create: `shop/web/rows/basket.py`",
    "- Modify: `shop/cash/CashBox.py`\n\n" + block("class CashBox:\n    pass", lead="It holds:"),
    "The rest is in `shop/cash/CashBox.py`.",
    "The context:\n\n@shop/ledgers/page.py\n",
    block(
        "# shop/prices.py\ndef old_total(cart):\n    return 0\n\n\ndef new_total(cart):\n    return 0",
        lead="Step 3: Add the rounding",
    ),
    "### Task 1: Use\n"
    + block("export function Slot() {\n  // Later <TraceDock /> comes here.\n  return null\n}", "tsx")
    + "\nRun: `npm test`\n\n### Task 2: Make\n"
    + block("export function TraceDock() {\n  return null\n}", "tsx"),
    "### Task 1: Use\n"
    + block("use std::fmt::{Display};\nuse crate::cache::Kept;\n\npub struct Kept;", "rust")
    + "\nRun: `cargo test`\n\n### Task 2: Make\n"
    + block("pub struct Display;", "rust"),
    block("try:\n    import networkx\nexcept ImportError:\n    networkx = None"),
    "Methods (`total_prices`) added where tests need them.\n\n1. **Add `total_prices`** to the settings.",
    "## Task 8: The report\n\n" + block("from shop.report import add_item\n\nadd_item([], 'x')"),
    "**前提：** Phase 2 已完成。\n\n### Task 1: A\n\n" + block("import networkx\n\nnetworkx.draw()"),
    "Output:\n- `shop/core/ledgers.py` — the sums",
]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("text", QUIET)
def test_what_the_plan_makes_or_nobody_claims_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []


OPEN = [
    "Look at `shop/web/rows/page.py` of the other tree.",
    "The rows of `data/price_lists.csv` should be there.",
    "The rows of the shop's pages stand in `shop/rows/core/page.py`.",
    "- Delete: `shop/core/rows/page.py`",
    "The shape of `shop/web/core/forms/page.py` is new: copy it from `shop/rows/page.py`.",
    "It goes beside `shop/cart.py`, in `web/forms/core/page.py`.",
    "- Modify: `shop/price.py` (or wherever the class lives)",
    "- Modify: `shop/price.py` (if exists)",
    "- Modify: `shop/price.py` (ou nomes equivalentes)",
    "- Modify: `shop/price.py` (s'il existe)",
    "- Modify: `shop/price.py`\n\n" + block('find . -name "price*"', "bash", "Locate it:"),
    "The `total_prices` of the cart stay.",
    "The page should use `total_prices`.",
    "Rename `old_total` to `total_prices`.",
    "- Create: `shop/cart.py`, `shop/rounding.py`",
    block("sums = shop.total_prices(cart)"),
    block("sums = total_prices(cart)", "go"),
    block("export function madeTotal(cart: string[]) {\n  return 0\n}", "ts", "In `web/sums.test.ts`:")
    + block("const sum = madeTotal([], 2)", "ts"),
    block("import tenacity\n\ntenacity.retry()"),
    block("from shop.models import Ledger\n\nledger = Ledger('a')\nprint(ledger.balance)"),
    block("from shop.models import Ledger\n\nledger = Ledger('a')\nledger.book(1, currency='x')"),
]


@pytest.mark.rule("P20")
@pytest.mark.parametrize("text", OPEN, ids=range(len(OPEN)))
def test_what_has_not_earned_to_stand_is_asked_with_what_was_found(tmp_path: Path, text: str) -> None:
    doubt, *less = doubts(tmp_path, f"# A plan\n\n{text}\n")
    assert (doubt.grade, doubt.weight) == (Grade.ASKED, Weight.MINOR)
    assert doubt.places
    assert less == []


HEADED = [
    ("## Files to change\n\n1. `shop/price.py` — the sum", Grade.STANDS),
    ("## 3. Modified files\n\n| `shop/price.py` | the sum |", Grade.STANDS),
    ("## Files to change\n\n1. `shop/price.py`, if it exists", Grade.ASKED),
    ("## Files to change\n\n1. `shop/price.py` (if added in this task; otherwise skip)", Grade.ASKED),
    ("## Files to change\n\n1. `shop/price.py` (optional)", Grade.ASKED),
    ("## Files to change\n\n1. `shop/price.py`, skip it when the sum is right", Grade.ASKED),
    ("## Files to change\n\n1. `shop/price.py` (an optional mark, added to the sum; it may skip rows)", Grade.STANDS),
    ("## Files to change\n\n1. `shop/deferreds/page.py` — the sum", None),
    ("## Files to change\n\n1. `shop/price.py` — new", None),
    ("## Files to create\n\n1. `shop/price.py` — the sum", None),
    ("## Files\n\n1. What `shop/price.py` brings", Grade.ASKED),
]


@pytest.mark.parametrize(("text", "grade"), HEADED)
def test_a_heading_says_what_becomes_of_the_files_under_it(tmp_path: Path, text: str, grade: Grade | None) -> None:
    found = doubts(tmp_path, f"# A plan\n\n{text}\n")
    assert [each.grade for each in found] == ([grade] if grade is not None else [])


@pytest.mark.rule("X20")
@pytest.mark.parametrize(("named", "count"), [("`cart_sum`", 0), ("`cart`", 1), ("`page_sum`", 1)])
def test_words_on_what_a_file_is_about_mind_its_users(tmp_path: Path, named: str, count: int) -> None:
    files = {"shop/cart_sum_lib.py": "RATE = 1\n", "shop/using.py": "from shop.cart_sum_lib import RATE\n"}
    text = f"# A plan\n\n## Task 1\n\n- Delete: `shop/cart_sum_lib.py`\n\n## Task 2\n\nFix any remaining {named} references.\n"
    assert len(examine(bench(shop(tmp_path, **files), text).case)) == count


def test_a_word_inside_of_a_name_leaves_nothing_open(tmp_path: Path) -> None:
    files = {"shop/deferred/sum_rows.py": "ROWS = 1\n"}
    for named, grade in (("`shop/deferred/sumrows.py`", Grade.STANDS), ("`shop/deferred/sumrows.py` (deferred)", Grade.ASKED)):
        (doubt,) = examine(bench(shop(tmp_path, **files), f"# A plan\n\n- Modify: {named}\n").case)
        assert doubt.grade is grade


def test_a_variable_that_is_read_as_a_member_too_is_what_was_meant(tmp_path: Path) -> None:
    local = "export function run() {\n  const cartReceipt = 1\n  return cartReceipt\n}\n"
    text = "# A plan\n\n`cartReceipts` stays beside the sum.\n"
    assert examine(bench(shop(tmp_path, **{"web/run.ts": local}), text).case) == ()
    (doubt,) = examine(bench(shop(tmp_path, **{"web/read.ts": "show(page.cartReceipt)\n"}), text).case)
    assert (doubt.subject, doubt.grade) == ("cartReceipts", Grade.ASKED)


AWAY = [
    "| File | Repo | Action |\n|---|---|---|\n| `shop/{}.py` | shop-tools | Modify |\n",
    "| File | Disposition |\n|---|---|\n| `cart.py` | Deleted — moved to `shop/{}.py` |\n",
    "| `cart.py` → `core/{}s.py` | the sum |\n\nThen `shop/core/{}s.py` has the sum.\n",
]


@pytest.mark.parametrize("text", AWAY)
def test_what_a_table_puts_elsewhere_is_not_missed(tmp_path: Path, text: str) -> None:
    assert doubts(tmp_path, "# A plan\n\n" + text.replace("{}", "price")) == []
    plain = text.replace("| Repo |", "| Owner |").replace("moved to", "see").replace("→", "and")
    assert doubts(tmp_path, "# A plan\n\n" + plain.replace("{}", "price")) != []


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ("The page gains an optional mark. Extend `totals_price` with it.", Grade.STANDS),
        ("It can also build `TotalsPrice` rows.", Grade.ASKED),
        ("Stored in `TotalsPrice.meta.rows`.", Grade.ASKED),
    ],
)
def test_a_slip_is_weighed_by_the_words_about_it(tmp_path: Path, text: str, grade: Grade) -> None:
    files = {"shop/kept.py": "class TotalPrice:\n    pass\n\n\ndef total_prices():\n    return 1\n"}
    (doubt,) = examine(bench(shop(tmp_path, **files), f"# A plan\n\n{text}\n").case)
    assert (doubt.subject.lower().replace("_", ""), doubt.grade) == ("totalsprice", grade)


def test_a_plan_that_this_one_builds_on_is_asked_what_it_brings(tmp_path: Path) -> None:
    text = "# Plan 7\n\nDepends on: Plan #5\n\n" + block("import networkx\n\nnetworkx.path_graph(3)", lead="In `shop/cart.py`:")
    for name, grades in (("docs/plans/004_rows.md", []), ("docs/plans/005_rows.md", [Grade.ASKED])):
        folder = tmp_path / name.rpartition("/")[2]
        found = examine(bench(shop(folder, **{name: "# Rows\n\n1. Change `shop/cart.py`.\n"}), text).case)
        assert [each.grade for each in found] == grades


def test_a_command_that_is_only_spoken_of_is_not_run(tmp_path: Path) -> None:
    spoken, run = "Work on `make shop-test` begins once all is built.", "Then run `make shop-test`."
    for said, grade in ((run, Grade.ASKED), (f"{spoken}\n   {run}", Grade.ASKED), (spoken, None)):
        found = doubts(tmp_path, f"# A plan\n\n1. {said}\n2. Change `total_price()` in `shop/prices.py`.\n")
        assert [(each.subject, each.grade) for each in found] == ([("make shop-test", grade)] if grade is not None else [])


def test_what_code_reads_of_its_own_object_may_be_a_slip(tmp_path: Path) -> None:
    files = {"web/client.ts": "function at() {\n  const baseUrl = 1\n}\nclass Client {\n  go() { return this.baseUrl }\n}\n"}
    for code, found in (("return this.baseUrls", ["baseUrls"]), ("this.baseUrls = 1\nreturn this.baseUrls", [])):
        case = bench(shop(tmp_path, **files), "# A plan\n\n" + block(code, "ts", "In `web/client.ts`:")).case
        assert [(each.subject, each.grade) for each in examine(case)] == [(name, Grade.ASKED) for name in found]


def test_a_file_of_the_same_name_in_another_folder_is_not_the_one_that_was_meant(tmp_path: Path) -> None:
    text = "# A plan\n\n`shop/rows/page.py` shows what `shop/web/forms/pages.py` holds.\n"
    (doubt,) = doubts(tmp_path, text)
    assert (doubt.subject, doubt.grade, doubt.places) == ("shop/web/forms/pages.py", Grade.ASKED, ("shop/web/forms/page.py:1",))


ALONE = [
    ("1. Read the rows of `data/price_lists.csv`.", Evidence.SPOKEN_FILE),
    (block("def more(cart):\n    return total_prices(cart)"), Evidence.SLIPPED_NAME),
    ("1. Change `total_prices()` in `shop/prices.py`.", Evidence.SLIPPED_NAME),
    ("`shop/prices.py:4` has `total_prices`, which stays.", Evidence.SLIPPED_NAME),
    ("Update `total_prices`, so that it rounds.", Evidence.SLIPPED_NAME),
    ("The existing `total_prices` stays.", Evidence.SLIPPED_NAME),
]


@pytest.mark.rule("P20")
@pytest.mark.parametrize(("text", "evidence"), ALONE)
def test_what_two_signs_show_stands(tmp_path: Path, text: str, evidence: Evidence) -> None:
    (doubt,) = doubts(tmp_path, f"# A plan\n\n{text}\n")
    assert (doubt.evidence, doubt.grade, doubt.weight) == (evidence, Grade.STANDS, Weight.SIGNIFICANT)
    assert doubt.places
    assert doubt.alternative


@pytest.mark.rule("P20")
def test_what_another_plan_of_the_repository_names_is_asked(tmp_path: Path) -> None:
    text = "# Part 2\n\n- Modify: `shop/price.py`\n"
    told = {"docs/specs/why.md": "The price of `shop/price.py` is high.\n", "docs/plans/part-2.md": text}
    other = {**told, "docs/plans/part-1.md": "# Part 1\n\n- Create: `shop/price.py`\n"}
    (doubt,) = examine(bench(shop(tmp_path, **other), text).case)
    assert (doubt.grade, "docs/plans/part-1.md" in doubt.concern) == (Grade.ASKED, True)
    (tmp_path / "alone").mkdir()
    (alone,) = examine(bench(shop(tmp_path / "alone", **told), text).case)
    assert alone.grade is Grade.STANDS


@pytest.mark.rule("P20")
def test_a_user_that_another_plan_takes_away_is_no_user(tmp_path: Path) -> None:
    text = "# Part 2\n\n- Delete: `shop/prices.py`\n- Modify: `shop/cart.py`\n"
    (doubt,) = examine(bench(shop(tmp_path), text).case)
    assert (doubt.kind, doubt.places) == (Kind.REMOVAL, ("shop/report.py:1",))
    part = {"docs/plans/part-1.md": "# Part 1\n\n- Delete: `shop/report.py`\n"}
    assert examine(bench(shop(tmp_path / "more", **part), text).case) == ()


@pytest.mark.rule("P20")
def test_every_kind_of_evidence_has_a_grade() -> None:
    assert set(GRADES) == set(Evidence)


@pytest.mark.rule("P20")
def test_what_may_come_with_work_that_the_plan_builds_on_is_not_asked_and_stands_with_that_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GRADES, Evidence.MOVED_FILE, Grade.STANDS)  # whatever the record says of it today
    opening = "# Phase 3e\n\n**Dependencies:**\n- Phase 3a complete\n\n### Task 1: A\n"
    draw = block("import tenacity\n\ntenacity.retry()")
    assert doubts(tmp_path, opening + draw) == []
    (alone,) = doubts(tmp_path, opening.replace("- Phase 3a complete\n", "- none\n") + draw)
    assert alone.grade is Grade.ASKED
    (stands,) = doubts(tmp_path, f"{opening}- Modify: `shop/web/cart.py`\n")
    assert stands.grade is Grade.STANDS
    assert "say on that line that Phase 3a brings it" in stands.alternative
    (said,) = doubts(tmp_path, f"{opening}- Modify: `shop/web/cart.py` (added in Phase 3a)\n")
    assert said.grade is Grade.ASKED


def test_what_is_listed_elsewhere_is_shown_where_the_list_begins(tmp_path: Path) -> None:
    files = {
        "package.json": '{\n  "name": "shop",\n  "scripts": {"lint": "x", "unit": "y"},\n  "dependencies": {"vue": "3"}\n}\n'
    }
    text = "# P\n\nRun: `make release`\n\nRun: `npm run tests`\n\n" + block(
        'import { produce } from "immer"\n\nproduce({})', "ts"
    )
    found = {each.subject: each for each in examine(bench(shop(tmp_path, **files), text).case)}
    assert {subject: each.places for subject, each in found.items()} == {
        "make release": ("Makefile:1",),
        "npm run tests": ("package.json:3",),
        "immer": ("package.json:4",),
    }
    assert "Name one that `package.json` has (lint, unit)" in found["npm run tests"].alternative
    assert "Name one that `Makefile` has (check)" in found["make release"].alternative


def test_a_file_that_lies_elsewhere_on_the_machine_is_not_missed(tmp_path: Path) -> None:
    label = "- Modify: `shop/price.py`\n"
    assert [each.subject for each in doubts(tmp_path, f"# P\n\n{label}")] == ["shop/price.py"]
    assert doubts(tmp_path, f"# P\n\n- Modify: `/home/me/other/shop/price.py`\n{label}") == []


def test_a_first_folder_that_only_the_machine_has_is_the_repository(tmp_path: Path) -> None:
    label = "- Modify: `till/shop/prices.py`\n"
    (doubt,) = doubts(tmp_path, f"# P\n\n{label}")
    assert (doubt.subject, doubt.grade) == ("till/shop/prices.py", Grade.ASKED)
    assert doubts(tmp_path, f"# P\n\nBackend repository: D:/code/till. Frontend: D:/code/web.\n\n{label}") == []


def test_a_member_that_is_removed_stops_nobody(tmp_path: Path) -> None:
    assert [each.grade for each in doubts(tmp_path, "# P\n\n- Delete `old_total`\n")] == [Grade.STANDS]
    assert doubts(tmp_path, "# P\n\n- Delete `Prices.old_total`\n") == []


def test_what_is_done_before_something_is_not_code_from_before(tmp_path: Path) -> None:
    leads = {"Make it before calling `total_price`:": False, "Before:": True, "The code before:": True}
    text = "# P\n\n" + "".join(block("x = 1", lead=lead) for lead in leads)
    assert [code.is_old for code in bench(shop(tmp_path), text).case.codes] == list(leads.values())


def test_a_word_inside_of_a_cell_does_not_change_what_a_heading_creates(tmp_path: Path) -> None:
    table = "| File | Purpose |\n|---|---|\n| `shop/price.py` | {} |\n"
    assert doubts(tmp_path, "# P\n\n## Files to Create\n\n" + table.format("A form to edit prices")) == []
    (doubt,) = doubts(tmp_path, "# P\n\n## Files\n\n" + table.format("**Edit** the prices"))
    assert doubt.subject == "shop/price.py"


def test_script_imports_are_resolved_from_the_file_that_the_block_is_for(tmp_path: Path) -> None:
    files = {"web/api.ts": "export const loadCart = 1\n", "web/app.ts": "import { loadCart } from './api'\n"}
    wrong = block("import { loadCarts } from './api'\n", "ts", "In `web/page.ts`:")
    case = bench(shop(tmp_path, **files), f"# P\n\n{wrong}").case
    from counterproof.analysis.plans.code_uses import missing_imports

    assert ["`web/api.ts` has no `loadCarts`" in each.concern for each in missing_imports(case)] == [True]
    right = bench(tmp_path, f"# P\n\n{wrong.replace('loadCarts', 'loadCart')}").case
    assert list(missing_imports(right)) == []
    several = bench(tmp_path, f"# P\n\n{wrong.replace('{ loadCarts }', '{ loadCarts, loadCart, saveIt }')}").case
    told = [each.concern for each in missing_imports(several)]
    assert told == ["The import cannot work: `web/api.ts` has no `loadCarts`; `loadCart` comes closest, nor `saveIt`"]


def test_changed_data_needs_a_way_back(tmp_path: Path) -> None:
    text = "# P\n\n1. Write a migration that drops the column `legacy`.\n"
    case = bench(shop(tmp_path), text).case
    assert [each.kind for each in risks.no_way_back(case)] == [Kind.ROLLBACK]
    better = bench(tmp_path, text + "2. The rollback restores the column from the backup.\n").case
    assert list(risks.no_way_back(better)) == []


def test_outside_systems_fail(tmp_path: Path) -> None:
    text = "# P\n\n1. Call Stripe to charge the card.\n"
    assert [each.kind for each in risks.silent_on_failure(bench(shop(tmp_path), text).case)] == [Kind.FAILURE]
    minded = text + "2. On a timeout, retry twice.\n"
    assert list(risks.silent_on_failure(bench(tmp_path, minded).case)) == []


def test_a_claim_can_be_read_back(tmp_path: Path) -> None:
    (doubt,) = doubts(tmp_path, "# P\n\n1. Change `shop/price.py`.\n")
    assert read_claim(doubt.claim) == (Kind.FILE, "shop/price.py")
    assert read_claim("Something else `x`") is None


MANIFEST = {"package.json": '{"name": "shop", "dependencies": {"vue": "3"}}\n', "web/cart.ts": "export const cart = 1\n"}


def test_a_package_must_be_declared_where_a_manifest_is(tmp_path: Path) -> None:
    code = 'import { produce } from "immer"\n\nproduce({})'
    drawn = "```text\ncard/\n├── package.json\n└── cart-icon.ts\n```\n\n"
    for before, lead, evidence in (
        ("", "In `web/cart.ts`:", Evidence.UNDECLARED),
        ("", "In `cart-icon.ts`:", Evidence.UNDECLARED),
        (drawn, "In `cart-icon.ts`:", Evidence.UNDECLARED_LOOSELY),
        ("", "In `card/cart-icon.ts`:", Evidence.UNDECLARED_LOOSELY),
    ):
        (doubt,) = examine(bench(shop(tmp_path, **MANIFEST), f"# P\n\n{before}" + block(code, "ts", lead)).case)
        assert (doubt.subject, doubt.evidence) == ("immer", evidence)


def test_a_list_under_the_manifest_adds_its_packages(tmp_path: Path) -> None:
    code = block('import { produce } from "immer"\n\nproduce({})', "ts", "In `web/cart.ts`:")
    listed = ("- `zod` - shapes\n- `immer` - copies", "1. `zod`\n2. `immer`")
    for lead, items, count in (
        *(("Add dependencies to the manifest:", each, 0) for each in listed),
        *(("What we know of the cart:", each, 1) for each in listed),
    ):
        text = f"# P\n\n{lead}\n\n{items}\n\n{code}"
        assert len(examine(bench(shop(tmp_path, **MANIFEST), text).case)) == count


def test_a_file_whose_name_has_other_marks_stands_though_it_is_a_test(tmp_path: Path) -> None:
    files = {"bin/cart_all_tests.rs": "fn main() {}\n"}
    for named, found in (("bin/cart-all-tests.rs", [Grade.STANDS]), ("bin/cart-few-tests.rs", [])):
        text = f"# P\n\n2. **Update the binary** (`{named}`):\n\n" + block("fn run() {}", "rust", "")
        assert [each.grade for each in examine(bench(shop(tmp_path, **files), text).case)] == found


def test_a_file_inside_of_a_folder_that_the_plan_moves_is_not_missed(tmp_path: Path) -> None:
    files = {"engine/core/pricing_rows.py": "ROWS = 1\n"}
    for command, grades in (("git mv engine/core engine/heart", []), ("git status", [Grade.ASKED])):
        text = "# P\n\n" + block(command, "bash", "Run:") + "- Modify: `engine/heart/pricing_rows.py`\n"
        assert [each.grade for each in examine(bench(shop(tmp_path, **files), text).case)] == grades


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("title", "evidence"),
    [
        ("Tests for the cart", Evidence.REPLACED),
        ("Cart rewrite", Evidence.OVERWRITTEN),
        ("Rework the cart", Evidence.OVERWRITTEN),
    ],
)
def test_a_file_that_a_step_rewrites_may_be_meant(tmp_path: Path, title: str, evidence: Evidence) -> None:
    lines = "- Modify: `shop/cart.py`\n- Create: `tests/test_cart.py`\n- Create: `shop/rows/more.py`\n- Create: `shop/totals.py`"
    (doubt,) = doubts(tmp_path, f"# A plan\n\n### Task 1: {title}\n\n{lines}\n")
    assert (doubt.subject, doubt.evidence) == ("tests/test_cart.py", evidence)


@pytest.mark.rule("P20")
@pytest.mark.parametrize("words", ["addition OR a new test of the rows", "(appended to)"])
def test_a_label_that_may_mean_what_is_there_is_asked_about(tmp_path: Path, words: str) -> None:
    lines = f"- Create: `tests/test_cart.py` {words}\n- Create: `shop/rows/more.py`\n- Create: `shop/totals.py`"
    (doubt,) = doubts(tmp_path, f"# A plan\n\n### Task 1: Rows\n\n{lines}\n")
    assert (doubt.subject, doubt.evidence) == ("tests/test_cart.py", Evidence.OVERWRITTEN)


@pytest.mark.rule("P20")
def test_a_plan_that_lists_itself_overwrites_nothing(tmp_path: Path) -> None:
    text = "# A plan\n\n- Create: `docs/plans/own.md`\n- Create: `shop/totals.py`\n- Create: `shop/more.py`\n"
    assert examine(bench(shop(tmp_path, **{"docs/plans/own.md": text}), text).case) == ()


@pytest.mark.rule("P20")
@pytest.mark.parametrize(("manifest", "count"), [('[dependencies]\nround-half = "1"', 0), ('[dependencies]\nround-up = "1"', 1)])
def test_a_manifest_that_the_plan_writes_declares_crates(tmp_path: Path, manifest: str, count: int) -> None:
    files = {"Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": "pub fn total() {}\n"}
    text = block(manifest, "toml", "In the manifest:") + block("use round_half::Round;", "rust", "In `src/lib.rs`:")
    assert len(examine(bench(shop(tmp_path, **files), f"# A plan\n\n{text}").case)) == count
