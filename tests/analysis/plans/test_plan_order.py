"""A step that uses what a later step makes, where something in the step meets the gap; and the same step where nothing does."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, is_firm, shop
from counterproof.analysis.plans.doubts import Kind
from counterproof.analysis.plans.evidence import Evidence, Grade
from counterproof.analysis.plans.examination import examine


def block(code: str, language: str = "python", lead: str = "Write this:") -> str:
    return f"{lead}\n\n```{language}\n{code}\n```\n\n"


MAKE = "### Task 2: Make\n- Create: `shop/store.py`\n\n" + block(
    "def keep(cart):\n    return cart", lead="Create `shop/store.py`:"
)
LATE = block("def close_cart(cart):\n    from shop.store import keep\n\n    return keep(cart)", lead="In `shop/cart.py`, add:")
NEVER = block("def cart_rows(cart):\n    from shop.store import keep\n\n    return keep(cart)", lead="In `shop/cart.py`, add:")
INNERMOST = block(
    "class Till:\n    def close(self, cart):\n        from . import {0}\n\n        return {0}.kept_rows(cart)",
    lead="In `shop/till.py`, add:",
)
MAKE_STORE = "### Task 2: Make\n- Create: `shop/store.py`\n\n" + block(
    "def kept_rows(cart):\n    return cart", lead="Create `shop/store.py`:"
)
RUN_TILL = block("def test_till():\n    assert Till(){}")
THROUGH_TILL = block("def close_cart(cart):\n    return Till().close(cart)")
CAUGHT = block(
    "def close_cart(cart):\n    try:\n        from shop.store import keep\n    except ImportError:\n        keep = list\n"
    "    return keep(cart)",
    lead="In `shop/cart.py`, add:",
)
TRIED = block("def test_closing():\n    assert close_cart([]) == []")
FIRST = block("from shop.store import keep\n\n\ndef test_keeping():\n    assert keep([]) == []")
PASSES = "Run: `pytest tests`\nExpected: PASS\n\n"
FAILS = "Run: `pytest tests`\nExpected: FAIL with ImportError\n\n"
SHOWN = block("import Basket from './Basket'\n\nconst shown = Basket", "tsx")
DRAWN = "### Task 2: Make\n" + block("export default function Basket() {\n  return null\n}", "tsx")
SAMPLED = "### Task 2: Make\n" + block("public sealed class CartSampler\n{\n}", "csharp")
DEEP = block("def close_cart(cart):\n    from shop.cart import kept_rows\n\n    return kept_rows(cart)")
ALONE = block("def kept_rows(cart):\n    return cart")
COUNTED = block("function frameCount(x) {}", "js")
BESIDE = block('from .errors import StoreError\n\n\ndef close():\n    """Closes.\n\n    StoreError: if it is closed.\n    """')
KEPT = block("class StoreError(Exception):\n    pass")
LISTED_IMPORT = block("import {{\n  {},\n}} from './frames'\n\nframeCount(3)", "ts")
COUNTED_TS = block("export function frameCount(x) {}", "ts", "In `web/frames.ts`:")
REQUIRED = block("const { frameCount } = require('./frames')\nframeCount(3)", "js")
THROUGH = block("pub mod platform;\n\npub fn asset() -> String {\n    platform::asset_name()\n}", "rust")
PLATFORM = "### Task 2: Make\n- Create: `engine/src/platform.rs`\n\n" + block("pub fn asset_name() -> String {\n}", "rust")
DECLARED = block("pub mod platform;", "rust")
FAR = "Read it once more.\n\n" * 5 + "Run: `cargo test`\n"
CONSUMED = "- Consumes: `add_item` (Task 1); `keep` (Task 3)\n"


def early(folder: Path, text: str) -> list[str]:
    case = bench(shop(folder), f"# A plan\n\n{text}\n").case
    return [each.subject for each in examine(case) if each.kind is Kind.ORDER]


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        (f"### Task 1: Use\n{TRIED}{FAILS}{LATE}{PASSES}{MAKE}", "shop/store.py"),
        (f"### Task 1: Use\n{LATE}Run: `pytest tests/test_cart.py`\n预期：通过\n\n{MAKE}", "shop/store.py"),
        (f"### Task 1: Use\n{TRIED}{DEEP}Run `pytest` → PASS\n\n### Task 2: Make\n{ALONE}", "kept_rows"),
        (f"### Task 1: Use\n{RUN_TILL.format('.close([])')}{INNERMOST.format('store')}{PASSES}{MAKE_STORE}", "kept_rows"),
        (f"### Task 1: Use\n{TRIED}{THROUGH_TILL}{INNERMOST.format('store')}{PASSES}{MAKE_STORE}", "kept_rows"),
        (f"### Task 1: Use\n{BESIDE}Run: `pytest tests`\n\n### Task 2: Make\n{KEPT}", "StoreError"),
        (f"### Task 1: Use\n{REQUIRED}Run: `npm test`\n\n### Task 2: Make\n{COUNTED}", "frameCount"),
        (f"### Task 1: Use\n{THROUGH}Run: `cargo test`\n\n{PLATFORM}", "engine/src/platform.rs"),
        (f"### Task 1: Use\n{DECLARED}Run: `cargo test`\n\n{PLATFORM}", "engine/src/platform.rs"),
        (f"### Task 1: Use\n{THROUGH}{FAR}Expected: it passes. Task 2 is short.\n\n{PLATFORM}", "engine/src/platform.rs"),
        (f"### Task 1: Use\n{LISTED_IMPORT.format('frameCount')}Run: `npm test`\n\n### Task 2: Make\n{COUNTED_TS}", "frameCount"),
        (f"### Task 1: Use\n{LISTED_IMPORT.format('type frameCount')}Run: `tsc`\n\n### Task 2: Make\n{COUNTED_TS}", "frameCount"),
        (f"### Task 1: Use\n{REQUIRED}**Step 3: Tests, verify, commit**\n\n### Task 2: Make\n{COUNTED}", "frameCount"),
        (f"### Task 1: Use\n{FIRST}{FAILS}Write the code.\n\n{PASSES}{MAKE}", "shop/store.py"),
        ("### Task 1: A\n- Modify: `shop/store.py` (add `keep`)\n\n### Task 2: B\n- Create: `shop/store.py`", "shop/store.py"),
        (
            (
                f"### Task 1: A\n- Modify: `shop/store.py`\n\n{block('def keep():', lead='Append to `shop/store.py`:')}"
                "### Task 2: B\n- Create: `shop/store.py`"
            ),
            "shop/store.py",
        ),
        (f"### Task 1: A\nAdd x.\n\n### Task 2: B\n{CONSUMED}\n### Task 3: C\nAdd `keep`.", "Task 3: C"),
        (f"### Task 1: Use\n{SHOWN}Run: `npm test`\n\n{DRAWN}", "Basket"),
        (
            f"### Task 1: Use\n{block('var sampler = new CartSampler(3);', 'csharp')}Run: `dotnet test`\n\n{SAMPLED}",
            "CartSampler",
        ),
    ],
)
def test_what_a_step_carries_out_must_be_there(tmp_path: Path, text: str, subject: str) -> None:
    assert early(tmp_path, text) == [subject]


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    "text",
    [
        f"### Task 1: Use\n{TRIED}{LATE}{FAILS}{MAKE}",
        f"### Task 1: Use\n{LATE}{PASSES}{MAKE}",
        f"### Task 1: Use\n{REQUIRED.replace('./frames', 'frames')}Run: `npm test`\n\n{DRAWN}",
        f"### Task 1: Use\n{block('let name = other.asset_name();', 'rust')}Run: `cargo test`\n\n{PLATFORM}",
        f"### Task 1: Use\n{FIRST}{FAILS}{MAKE}",
        f"### Task 1: Use\n{TRIED}{CAUGHT}{PASSES}{MAKE}",
        f"### Task 1: Use\n{TRIED}{NEVER}{PASSES}{MAKE}",
        f"### Task 1: Use\n{RUN_TILL.format('')}{INNERMOST.format('store')}{PASSES}{MAKE_STORE}",
        "### Task 1: A\n- Create: `shop/store.py`\n\n### Task 2: B\n- Modify: `shop/store.py` (add `keep`)",
        f"### Task 1: A\nAdd x.\n\n### Task 2: B\n{CONSUMED.replace('Task 3', 'Task 1')}\n### Task 3: C\nAdd `keep`.",
        f"### Task 1: Use\n{SHOWN.replace('./Basket', 'baskets')}Run: `npm test`\n\n{DRAWN}",
        f"### Task 1: Use\nCreate each of `web/Rows.tsx`, `Basket.tsx` as a stub.\n\n{SHOWN}Run: `npm test`\n\n{DRAWN}",
        f"### Task 1: Use\n{DECLARED}{block('// later', 'rust', '`engine/src/platform.rs`:')}Run: `cargo test`\n\n{PLATFORM}",
        f"### Task 1: Use\n{THROUGH}{FAR}Expected: the build fails, go on with Task 2.\n\n{PLATFORM}",
    ],
    ids=range(14),
)
def test_a_test_that_fails_first_and_an_import_that_waits_are_no_mistakes(tmp_path: Path, text: str) -> None:
    assert early(tmp_path, text) == []


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", ["shop/store.py"]),
        ("Adapt the imports to the real names.\n\n", ["shop/store.py"]),
        ("`store.py` is created later.\n\n", []),
    ],
)
def test_only_words_of_the_step_about_what_is_missing_leave_its_order_open(tmp_path: Path, words: str, found: list[str]) -> None:
    assert early(tmp_path, f"### Task 1: Use\n{TRIED}{LATE}{words}{PASSES}{MAKE}") == found
    assert early(tmp_path, f"### Task 1: Use\n{TRIED}{LATE}{PASSES}{MAKE}## Review\n\n{words}") == ["shop/store.py"]


@pytest.mark.rule("P20")
def test_what_a_step_says_of_one_thing_leaves_the_others_early(tmp_path: Path) -> None:
    use = "### Task 1: Use\n" + block("value = cached_total(cart)\nother = cached_count(cart)") + "Run: `pytest tests`\n\n"
    make = "### Task 2: Make\n" + block("def cached_total(cart):\n    return 0\n\n\ndef cached_count(cart):\n    return 0")
    said = "`cached_total` is not yet there, a stub will do.\n\n"
    assert early(tmp_path, f"{use}{said}{make}") == ["cached_count"]


@pytest.mark.rule("P20")
def test_only_labels_stop_a_plan_for_its_order(tmp_path: Path) -> None:
    labels = "### Task 1: A\n- Modify: `shop/store.py` (add `keep`)\n\n### Task 2: B\n- Create: `shop/store.py`"
    loads = f"### Task 1: Use\n{TRIED}{FAILS}{LATE}{PASSES}{MAKE}"
    for text, evidence, grade in ((labels, Evidence.EARLY_FILE, Grade.STANDS), (loads, Evidence.EARLY_LOAD, Grade.ASKED)):
        (doubt,) = examine(bench(shop(tmp_path), f"# A plan\n\n{text}\n").case)
        assert (doubt.evidence, doubt.grade) == (evidence, grade)


@pytest.mark.rule("P17")
def test_what_one_step_needs_of_a_later_one_is_one_doubt(tmp_path: Path) -> None:
    use = "### Task 1: Use\n" + block("value = cached_total(cart)\nother = cached_count(cart)") + "Run: `pytest tests`\n\n"
    make = "### Task 2: Make\n" + block("def cached_total(cart):\n    return 0\n\n\ndef cached_count(cart):\n    return 0")
    (doubt,) = examine(bench(shop(tmp_path), f"# A plan\n\n{use}{make}").case)
    assert doubt.subject == "cached_total"
    assert "`value = cached_total(cart)`, needs" in doubt.concern
    assert "`cached_count` (line 8)" in doubt.concern


@pytest.mark.parametrize(("heading", "steps"), [("Steps", 3), ("Tasks", 3), ("Phase A", 1), ("Step 1", 1), ("Part B: rows", 1)])
def test_a_heading_over_all_steps_is_none_of_them(tmp_path: Path, heading: str, steps: int) -> None:
    text = f"# A plan\n\n## {heading}\n\n1. Change `shop/cart.py`.\n2. Change `shop/prices.py`.\n3. Run `pytest`.\n"
    assert len(bench(shop(tmp_path), text).outline.steps) == steps


ONLY_COMMIT = block("git commit -m x", "bash", "Commit:")
COMMIT = "Run: `npm run build`\n\n" + ONLY_COMMIT
KEPT_ROWS = block("def close_cart(cart):\n    return cart.kept_rows")
CART = "### Task 2: Make\n" + block("@dataclass\nclass Cart:\n    kept_rows: int = 0")
TOTAL = block("value = cached_total(cart)")
MAKE_TOTAL = "### Task 2: Make\n" + block("def cached_total(cart):\n    return 0")
WORKSPACE = "### Task 2: Make\n" + block("export interface SideWorkspace {\n  open: boolean\n}", "ts")
READ = block("match node {\n    Node::Member => self.read_member(&node),\n}", "rust")
MAKE_READ = "### Task 2: Make\n" + block("    fn read_member(&self, node: &Node) -> Value {\n        Value::Nil\n    }", "rust")
SENT = "### Task 2: Make\n" + block("type Sent = {\n  keptRows: number,\n}", "js")
BATCH = block("let size = rows.batch_size;", "rust")
FIELDS = (
    "pub struct Batch {{\n    pub {0}\n}}",
    "enum Rows {{\n    Batch {{\n        {0}\n    }},\n}}",
    "#[derive(Debug)]\npub struct Batch<T>\nwhere\n    T: Row,\n{{\n    {0}\n}}",
)
GIVEN = (
    "impl Rows {{\n    fn all() -> Batch {{\n        Batch {{\n            {0}\n            ..other\n        }}\n    }}\n}}",
    "struct Rows;\n\nfn all() {{\n    let batch = Batch {{\n        {0}\n    }};\n}}",
    "struct Rows;\n\nfn all(\n    {0}\n) {{\n}}",
    "struct Rows;\n\nfn all() {{\n    send(Batch {{\n        {0}\n    }});\n}}",
)
RECORD = block("public record Sent(\n    String name,\n    int keptRows) {}", "java")
LISTED = "### Task 1: A\nAdd x.\n\n### Task 2: B\n{}\n\n### Task 3: C\nAdd y.\n\n### Task 4: D\nAdd z."
UNITS = "### U1. A\nAdd x.\n\n### U2. B\n{}\n\n### U3. C\nAdd y.\n\n### U4. D\nAdd z."


def standing(folder: Path, text: str) -> list[str]:
    case = bench(shop(folder), f"# A plan\n\n{text}\n").case
    return [each.subject for each in examine(case) if each.kind is Kind.ORDER and is_firm(each)]


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        (LISTED.format("**Dependencies:** Tasks 1 and 4."), "Task 4: D"),
        (LISTED.format("**Depends on:** Tasks 1 through 3"), "Task 3: C"),
        (LISTED.format("- Blocked by: Task 3"), "Task 3: C"),
        (LISTED.format("- Produces: `read_rows()`\n- Requires: Task 3 `keep_rows()`"), "Task 3: C"),
        (UNITS.format("- **Dependencies：** U1、U4。"), "U4. D"),
        (UNITS.format("**Dependencies:** U1-U4"), "U4. D"),
        (LISTED.format("- Depends on: T3"), "Task 3: C"),
    ],
    ids=range(7),
)
def test_a_step_that_names_a_later_one_as_needed_is_asked_about(tmp_path: Path, text: str, subject: str) -> None:
    (doubt,) = examine(bench(shop(tmp_path), f"# A plan\n\n{text}\n").case)
    assert (doubt.subject, doubt.evidence, doubt.grade) == (subject, Evidence.POINTED, Grade.ASKED)


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        (f"### Task 1: Use\n{TOTAL}{COMMIT}{MAKE_TOTAL}", "cached_total"),
        (f"### Task 1: Use\n{TOTAL}{PASSES}{MAKE_TOTAL}", "cached_total"),
        (f"### Task 1: Use\n{KEPT_ROWS}{COMMIT}{CART}", "kept_rows"),
        (
            f"### Task 1: Use\n{KEPT_ROWS.replace('    return', f'    # by kept_rows{chr(10)}    return')}{COMMIT}{CART}",
            "kept_rows",
        ),
        (f"### Task 1: Use\n{READ}{COMMIT}{MAKE_READ}", "read_member"),
        (
            f"### Task 1: Use\n{block('limit = MAX_KEPT_ROWS')}{COMMIT}### Task 2: B\n{block('MAX_KEPT_ROWS = 5')}",
            "MAX_KEPT_ROWS",
        ),
        (f"### Task 1: Use\n{block('const side: SideWorkspace = open()', 'ts')}{COMMIT}{WORKSPACE}", "SideWorkspace"),
        ("### Task 1: A\n- Modify: `engine/src/run.rs`\n\n### Task 2: B\n- Create: `engine/src/`", "engine/src/run.rs"),
        (
            (
                "### Task 1: A\n- Modify: `shop/store.py` (add `keep`)\n- Consumes: nothing from Task 2\n\n"
                "### Task 2: B\n- Create: `shop/store.py`"
            ),
            "shop/store.py",
        ),
        (
            f"### Task 1: Use\n- Modify: `engine/core/mod.rs`\n\n{THROUGH}{COMMIT}{PLATFORM.replace('src', 'core')}",
            "engine/core/platform.rs",
        ),
        (f"### Task 1: Use\n{block('send(request.keptRows());', 'ts')}{COMMIT}{SENT.replace('```js', '```ts')}", "keptRows"),
        (
            f"### Task 1: Use\n{block('rows = MAX_ROWS', 'ruby')}{COMMIT}### Task 2: B\n{block('MAX_ROWS = 3', 'ruby')}",
            "MAX_ROWS",
        ),
    ],
    ids=range(12),
)
def test_what_is_run_before_it_is_made_stands(tmp_path: Path, text: str, subject: str) -> None:
    assert standing(tmp_path, text) == [subject]


@pytest.mark.rule("P17")
@pytest.mark.parametrize("code", FIELDS)
def test_a_type_makes_its_fields(tmp_path: Path, code: str) -> None:
    made = block(code.format("batch_size: usize,"), "rust")
    assert standing(tmp_path, f"### Task 1: Use\n{BATCH}{COMMIT}### Task 2: Make\n{made}") == ["batch_size"]


@pytest.mark.rule("P17")
@pytest.mark.parametrize("code", GIVEN)
def test_what_is_given_to_an_object_or_a_function_makes_no_field(tmp_path: Path, code: str) -> None:
    used = block(code.format("batch_size: 10,"), "rust")
    assert standing(tmp_path, f"### Task 1: Use\n{BATCH}{COMMIT}### Task 2: Make\n{used}") == []


@pytest.mark.rule("P17")
@pytest.mark.parametrize(
    "text",
    [
        f"### Task 1: Use\n{TOTAL}Run: `pytest tests`\n\n{MAKE_TOTAL}",
        f"### Task 1: Use\nAdd `cached_total` to `shop/cart.py`.\n\n{TOTAL}{COMMIT}{MAKE_TOTAL}",
        f"### Task 1: Use\n{TOTAL}The rest comes in Task 2.\n\n{COMMIT}{MAKE_TOTAL}",
        f"### Task 1: Use\n{KEPT_ROWS}{block(f'class Cart:{chr(10)}    kept_rows: int')}{COMMIT}{CART}",
        f"### Task 1: Use\n{KEPT_ROWS.replace('kept_rows', 'rows')}{COMMIT}{CART.replace('kept_rows', 'rows')}",
        f"### Task 1: Use\n{FIRST.replace('shop.store', 'shop.cart')}{COMMIT}{MAKE_TOTAL.replace('cached_total', 'keep')}",
        (
            f"### Task 1: Use\n{block('type Rows interface {{{0}  KnownRows() map[int]int{0}}}'.format(chr(10)), 'go')}{COMMIT}"
            f"### Task 2: B\n{block(f'func KnownRows() map[int]int {{{chr(10)}}}', 'go')}"
        ),
        f"### Task 1: Use\n{block('// const side: SideWorkspace = open()', 'ts')}{COMMIT}{WORKSPACE}",
        "### Task 1: A\n- Create: `engine/src/`\n\n### Task 2: B\n- Modify: `engine/src/run.rs`",
        LISTED.format("- Consumes: nothing from Task 3"),
        LISTED.format("**Dependencies:** Task 1 (used by Task 4)"),
        LISTED.format("Pause for review after Task 4."),
        LISTED.format("**Dependencies:** Task 1, see line 4"),
        UNITS.format("**Dependencies:** U1"),
        UNITS.format("**Dependencies:** none, can run before U3"),
        LISTED.format("- Consumes: rows (Task 1), a reader (for rows; Task 3 uses it)"),
        LISTED.format("- Produces: `read_rows()`\n- Requires: Task 3 `read_rows()`"),
        f"### Task 1: Use\n{TOTAL}{ONLY_COMMIT}{MAKE_TOTAL}",
        f"### Task 1: Use\n{SHOWN}Run: `npm install`\n\n{ONLY_COMMIT}{DRAWN}",
        LISTED.format("- Consumes: a reader, Task 3"),
        LISTED.format("This needs Task 3."),
        LISTED.format("The rows need parsing, which needs a reader in Task 3."),
        LISTED.format("- Requires: 无(Task 3 实现)"),
        (
            f"### Task 1: Use\n{block(f'# By MAX_ROWS.{chr(10)}rows = read', 'ruby')}{COMMIT}"
            f"### Task 2: B\n{block('MAX_ROWS = 3', 'ruby')}"
        ),
        f"### Task 1: Use\n{block('rows = MAX_ROWS', 'ruby')}{COMMIT}### Task 2: B\n{block('MAX_ROWS=3 make', 'bash')}",
        (
            f"### Task 1: Use\n- Modify: `engine/core/mod.rs`\n\n{block('pub mod platform;', 'rust')}{COMMIT}"
            f"{PLATFORM.replace('engine/src', 'engine/core/deep')}"
        ),
        f"### Task 1: Use\n{block('const rows = new Set(seen.map(e => e.keptRows))', 'js')}{COMMIT}{SENT}",
        f"### Task 1: Use\n{RECORD}{block('send(request.keptRows());', 'java')}{COMMIT}{SENT.replace('```js', '```ts')}",
    ],
    ids=range(28),
)
def test_what_may_be_made_in_time_does_not_stand(tmp_path: Path, text: str) -> None:
    assert standing(tmp_path, text) == []


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("- Consumes: a reader, Task 3", 1),
        ("This needs Task 3.", 1),
        ("It needs a reader in Task 3.", 0),
        ("Needs 无, Task 1", 0),
    ],
)
def test_a_later_step_in_words_is_asked_about(tmp_path: Path, line: str, found: int) -> None:
    (tmp_path / "shop").mkdir()
    doubts = examine(bench(shop(tmp_path / "shop"), f"# A plan\n\n{LISTED.format(line)}").case)
    assert [(each.evidence, each.grade) for each in doubts] == [(Evidence.POINTED, Grade.ASKED)] * found


@pytest.mark.rule("P20")
def test_a_letter_and_a_number_mean_no_later_list(tmp_path: Path) -> None:
    text = LISTED.format("- Depends on: T1") + "\n\n## Kinds\n\n### 1. Clean rows\nText.\n\n### 2. Other rows\nText.\n"
    assert early(tmp_path, text) == []
