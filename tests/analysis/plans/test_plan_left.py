"""What a plan changes or takes away while files that it leaves alone still need it as it was."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.examination import examine

WEB = {
    "web/src/basket.ts": (
        "import { create } from './made';\n\nexport function openBasket(owner: string) {\n  return { owner };\n}\n\n"
        "export const basketStore = create((set) => ({\n  owner: '',\n  startGift: (to: string) => set({ to }),\n"
        "  clearAll: () => set({ owner: '' }),\n}));\n"
    ),
    "web/src/made.ts": "export const create = (make: unknown) => make;\n",
    "web/src/checkout.ts": (
        "import { basketStore, openBasket } from './basket';\n\nexport function pay() {\n  basketStore.startGift('me');\n"
        "  return openBasket('me');\n}\n"
    ),
    "web/src/app/gift-picker.tsx": "export default function GiftPicker() {\n  return null;\n}\n",
    "web/src/helper.ts": "export const helpMe = () => 1;\n",
    "web/src/menu.tsx": (
        "import { helpMe } from '@/helper';\n\nexport const menu = { pathname: '/gift-picker', label: helpMe() };\n"
    ),
}
WHOLE = (
    "import { create } from './made';\n\nexport function openBasket(owner: string) {\n  return { owner };\n}\n\n"
    "export const basketStore = create((set) => ({\n  owner: '',\n{member}  clearAll: () => set({ owner: '' }),\n}));"
)


def left(folder: Path, text: str) -> list[Doubt]:
    found = examine(bench(shop(folder, **WEB), f"# A plan\n\n{text}\n").case)
    return [each for each in found if each.kind in (Kind.REMOVAL, Kind.SIGNATURE)]


def block(path: str, code: str, lead: str = "Change it:", language: str = "python") -> str:
    return f"## Task 1: The change\n\n**Files:**\n- Modify: `{path}`\n\n{lead}\n\n```{language}\n{code}\n```\n"


PRICES = "def total_price(cart, currency):\n    return sum(item.price for item in cart)"
BASKET = "export function openBasket(owner: string, limit: number) {\n  return { owner, limit };\n}"


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        (block("shop/prices.py", PRICES), "total_price", "shop/cart.py:6"),
        (block("web/src/basket.ts", BASKET, language="ts"), "openBasket", "web/src/checkout.ts:5"),
        (block("shop/prices.py", PRICES) + "\n`cart.py` is out of scope and left alone.", "total_price", "shop/cart.py:6"),
    ],
)
def test_callers_that_no_step_names_are_left_behind(tmp_path: Path, text: str, name: str, place: str) -> None:
    (doubt,) = left(tmp_path, text)
    assert (doubt.kind, doubt.subject, doubt.evidence) == (Kind.SIGNATURE, name, Evidence.LEFT_CALLER)
    assert doubt.places[0] == place


@pytest.mark.parametrize(
    "text",
    [
        block("shop/prices.py", PRICES.replace("currency", "currency='EUR'")),
        block("shop/prices.py", PRICES) + "\n- Modify: `shop/cart.py`",
        block("shop/prices.py", PRICES) + "\nUpdate all callers of `total_price`.",
        block("shop/prices.py", PRICES) + "\nKeep `total_price` as a thin wrapper.",
        block("shop/prices.py", PRICES, lead="The current code:"),
        block("shop/prices.py", PRICES, lead="Add to the file:"),
        block("shop/prices.py", PRICES, lead="매핑 함수에 추가:"),
        block("shop/other.py", PRICES),
        block("shop/models.py", "class Ledger:\n    def __init__(self, name, owner):\n        self.name = name"),
        block("shop/prices.py", f"class Other:\n    {PRICES}".replace("\n    return", "\n        return")),
        block("web/src/basket.ts", BASKET.replace("limit:", "limit?:"), language="ts"),
        block("web/src/basket.ts", BASKET.replace("limit: number", "...limits: number[]"), language="ts"),
    ],
)
def test_callers_that_still_fit_or_are_minded_are_not_doubted(tmp_path: Path, text: str) -> None:
    assert left(tmp_path, text) == []


@pytest.mark.parametrize(
    ("code", "lead", "name"),
    [
        (WHOLE.replace("{member}", ""), "Replace the entire contents of the file with:", "startGift"),
        (WHOLE.replace("{member}", ""), "It then reads:", "startGift"),
        (
            WHOLE.replace("{member}", "  startGift: (to: string) => set({ to }),\n").replace("openBasket", "makeBasket"),
            "Rewrite the file:",
            "openBasket",
        ),
    ],
)
def test_a_file_written_anew_without_what_others_take_is_doubted(tmp_path: Path, code: str, lead: str, name: str) -> None:
    (doubt,) = left(tmp_path, block("web/src/basket.ts", code, lead, "ts"))
    assert (doubt.kind, doubt.subject, doubt.evidence) == (Kind.REMOVAL, name, Evidence.LEFT_TAKER)
    assert doubt.places[0].startswith("web/src/checkout.ts:")


@pytest.mark.parametrize(
    "text",
    [
        block("web/src/basket.ts", WHOLE.replace("{member}", "  // ... the other members\n"), "Rewrite the file:", "ts"),
        block(
            "web/src/basket.ts",
            WHOLE.replace("{member}", "  startGift: (to: string) => set({ to }),\n"),
            "Rewrite the file:",
            "ts",
        ),
        block("web/src/basket.ts", WHOLE.replace("{member}", ""), "Rewrite the file:", "ts")
        + "\n- Modify: `web/src/checkout.ts`",
        block("web/src/basket.ts", WHOLE.replace("{member}", ""), "Rewrite the file:", "ts")
        + "\nReplace all uses of `startGift`.",
        block("web/src/basket.ts", "import { one } from './one';\n\nexport const more = one;", "Add:", "ts"),
        block(
            "web/src/basket.ts",
            f"import {{ one }} from './one';\n\n{BASKET}".replace(", limit: number", ""),
            "A complete head:",
            "ts",
        ),
    ],
)
def test_a_file_that_keeps_or_minds_what_others_take_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert left(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            "```bash\ngit rm shop/prices.py web/src/helper.ts\n```\n\n- Modify: `shop/cart.py`, `shop/report.py`",
            "web/src/menu.tsx:1",
        ),
        ("- Delete: `web/src/helper.ts`", "web/src/menu.tsx:1"),
        ('```bash\nrm "web/src/app/gift-picker.tsx"\n```', "web/src/menu.tsx:3"),
    ],
)
def test_a_file_that_is_deleted_while_others_lead_to_it_is_doubted(tmp_path: Path, text: str, place: str) -> None:
    (doubt,) = left(tmp_path, text)
    assert (doubt.kind, doubt.places, doubt.evidence) == (Kind.REMOVAL, (place,), Evidence.REMOVED)


@pytest.mark.parametrize(
    "text",
    [
        "```bash\ngit rm --cached web/src/helper.ts\n```",
        "```bash\nrm -rf web/dist\n```",
        "```bash\nrm web/src/helper.ts\n```\n\n- Modify: `web/src/menu.tsx`",
        "```bash\nrm web/src/helper.ts\n```\n\nWrite `web/src/helper.ts`:\n\n```ts\nexport const helpMe = () => 2;\n```",
        "- Delete: `web/src/helper.ts`\n\nSearch for all imports of `web/src/helper` and replace them.",
        "- Delete: `web/src/made.ts`\n- Modify: `web/src/basket.ts`",
    ],
)
def test_a_file_that_is_deleted_with_care_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert left(tmp_path, text) == []


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("Delete `old_total()`.", 1),
        ("Delete the `old_total()` function from `shop/prices.py`.", 1),
        ("Delete `old_total()` entirely.", 1),
        ("Delete the `old_total()` fallback loop.", 0),
        ("Delete the `old_total` branch of the report.", 0),
        ("Remove `old_total` from the codebase.", 1),
        ("Remove `old_total` from the monthly report.", 0),
        ("Remove `old_total` from `shop/cart.py`.", 0),
    ],
)
def test_a_name_that_tells_which_other_thing_goes_stays(tmp_path: Path, words: str, count: int) -> None:
    found = examine(bench(shop(tmp_path), f"# A plan\n\n1. {words}\n").case)
    assert len([each for each in found if each.kind is Kind.REMOVAL]) == count


@pytest.mark.rule("P20")
def test_a_log_that_speaks_of_a_file_does_not_use_it(tmp_path: Path) -> None:
    files = {
        "native/conv.h": "int conv();\n",
        ".log/bugs.json": '{"file": "native/conv.h"}\n',
        "native/other.h": "int other();\n",
    }
    text = "# A plan\n\n- Delete: `native/conv.h`\n"
    assert examine(bench(shop(tmp_path / "log", **files), text).case) == ()
    files["build.toml"] = 'headers = ["native/conv.h"]\n'
    (doubt,) = examine(bench(shop(tmp_path / "build", **files), text).case)
    assert doubt.places == ("build.toml:1",)


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("line", "evidence"),
    [
        ("- Delete: `shop/report.py`", Evidence.REMOVED),
        ("1. Remove `shop/report.py`.", Evidence.REMOVED),
        ("1. Change the totals, then remove `shop/report.py`.", Evidence.REMOVED_IN_WORDS),
    ],
)
def test_a_clause_that_removes_a_file_says_less_than_a_label(tmp_path: Path, line: str, evidence: Evidence) -> None:
    files = {"shop/monthly.py": "from shop.report import report\n\n\ndef monthly(cart):\n    return report(cart)\n"}
    (doubt,) = examine(bench(shop(tmp_path, **files), f"# A plan\n\n{line}\n").case)
    assert (doubt.subject, doubt.evidence) == ("shop/report.py", evidence)
    taken = "# A plan\n\n- `shop/report.py` — remove /monthly and /weekly\n"
    assert examine(bench(tmp_path, taken).case) == ()
