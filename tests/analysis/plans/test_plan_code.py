"""What a plan's own code contradicts: calls that do not fit, callers left behind, imports of what it removes."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.examination import examine

CODE = {
    "web/src/basket.ts": "export function openBasket(owner: string) {\n  return { owner };\n}\n\nexport const MOST_ROWS = 3;\n",
    "web/src/checkout.ts": "import { openBasket } from './basket';\n\nexport function pay() {\n  return openBasket('me');\n}\n",
    "web/src/index.ts": "export { MOST_ROWS } from './basket';\n",
    "till/open.go": (
        "package till\n\nfunc OpenTill(name string, rows int) (int, error) {\n\treturn rows, nil\n}\n\n"
        "func CloseTills(names ...string) {}\n"
    ),
    "api/api.go": 'package api\n\nimport "shop/till"\n\nvar rows, _ = till.OpenTill("a", 1)\n',
}


def found(folder: Path, text: str) -> list[Doubt]:
    return list(examine(bench(shop(folder, **CODE), f"# A plan\n\n{text}\n").case))


def block(path: str, code: str, language: str = "python", label: str = "Modify") -> str:
    return f"- {label}: `{path}`\n\nCode for `{path}`:\n\n```{language}\n{code}\n```\n\n"


@pytest.mark.rule("P21")
def test_a_caller_in_another_language_is_left_behind(tmp_path: Path) -> None:
    code = "export function openBasket(owner: string, limit: number) {\n  return { owner, limit };\n}"
    (doubt,) = found(tmp_path, block("web/src/basket.ts", code, "ts"))
    assert (doubt.evidence, doubt.places[0]) == (Evidence.LEFT_CALLER, "web/src/checkout.ts:4")


@pytest.mark.rule("P20", "P21")
@pytest.mark.parametrize(
    ("code", "fits"),
    [
        ('rows, err := till.OpenTill("a")', False),
        ('rows, err := till.OpenTill("a", 1)', True),
        ("rows, err := till.OpenTill(both())", True),
        ('till.CloseTills("a", "b", "c")', True),
        ('rows, err := other.OpenTill("a")', True),
    ],
)
def test_a_go_call_with_another_number_of_arguments_stands(tmp_path: Path, code: str, fits: bool) -> None:
    doubts = found(tmp_path, block("api/api.go", code, "go"))
    assert [(each.evidence, each.places) for each in doubts] == ([] if fits else [(Evidence.MISFIT, ("till/open.go:3",))])


CALL = "from shop.prices import total_price\n\n\ndef more(cart):\n    return total_price(cart, 2)"


@pytest.mark.rule("P21")
@pytest.mark.parametrize(("said", "stands"), [("Modify `old_total()` in", True), ("`total_price()` takes a currency in", False)])
def test_a_call_stands_where_the_plan_says_nothing_of_the_function(tmp_path: Path, said: str, stands: bool) -> None:
    doubts = found(tmp_path, f"1. {said} `shop/prices.py`.\n\n" + block("shop/cart.py", CALL))
    assert [each.evidence for each in doubts] == ([Evidence.MISFIT] if stands else [])


@pytest.mark.parametrize(
    ("lead", "old"),
    [("Code for", False), ("A cart that was lost is found again in", False), ("Before, in", True), ("**Current code** of", True)],
)
def test_only_a_label_says_that_a_block_shows_code_as_it_is(tmp_path: Path, lead: str, old: bool) -> None:
    text = block("shop/cart.py", CALL).replace("Code for `shop/cart.py`:", f"{lead} `shop/cart.py`{':' if old else '.'}")
    assert [each.evidence for each in found(tmp_path, text)] == ([] if old else [Evidence.MISFIT])


@pytest.mark.rule("P21")
@pytest.mark.parametrize(
    ("gone", "text"),
    [
        ("shop/prices.py", block("shop/cart.py", "from shop.prices import TAX_RATE")),
        ("web/src/basket.ts", block("web/src/checkout.ts", "import { MOST_ROWS } from './basket';", "ts")),
    ],
)
def test_a_file_that_the_plans_own_code_imports_cannot_go(tmp_path: Path, gone: str, text: str) -> None:
    (doubt,) = found(tmp_path, f"{text}| File | Change |\n|---|---|\n| `{gone}` | Delete |\n")
    assert (doubt.evidence, doubt.subject, doubt.places) == (Evidence.REMOVED, gone, ("plan:8",))


def test_an_arm_of_a_match_defines_nothing(tmp_path: Path) -> None:
    rows = "pub enum RowState { On }\n\nfn icon(it: RowState) {\n    match it {\n        RowState::On => 1,\n    }\n}\n"
    ground = bench(shop(tmp_path, **{"src/rows.rs": rows}), "# A plan\n").case.ground
    assert ground.occurrences("RowState").definitions == [("src/rows.rs", 1)]


@pytest.mark.rule("P21")
def test_what_a_module_passes_on_counts_as_used(tmp_path: Path) -> None:
    (doubt,) = found(tmp_path, "1. Remove `MOST_ROWS` from `web/src/basket.ts`.")
    assert (doubt.evidence, doubt.places) == (Evidence.REMOVED, ("web/src/index.ts:1",))
