"""TypeScript of a plan that asks types for what they do not declare, or does not fit them; and what may fit."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.type_misfits import type_misfits

MORE = {
    "web/types.ts": (
        "export interface Basket { id: string; rows: BasketRow[]; note?: string }\n"
        "export interface BasketRow { price: number; label: string }\n"
        "export interface GiftBasket extends Basket { card: string }\n"
        "export interface OpenBasket { id: string; [key: string]: string }\n"
        "export interface Box { take(id: string): Basket }\n"
        "export interface Page<T> { items: T[]; next: T }\n"
        "export type BasketState = 'open' | 'closed' | null\n"
        "export interface FarBasket extends Outside { id: string }\n"
    ),
    "web/desk.ts": (
        "import { Basket } from './types'\nexport class Counter {\n  basket: Basket\n  count(): number {\n    return 1\n  }\n}\n"
    ),
    "web/package.json": '{\n  "name": "@shop/web"\n}\n',
    "web/load.ts": (
        "import type { Basket } from './types'\n"
        "export async function loadBasket(id: string): Promise<Basket> {\n  return { id, rows: [] }\n}\n"
    ),
    "web/Badge.tsx": "export function Badge({ label, tone }: { label: string; tone?: string }) {\n  return <i>{label}</i>\n}\n",
}
IMPORTED = (
    "import { Basket, GiftBasket, OpenBasket, FarBasket, Box, Page, BasketState } from './types'\n"
    "import { loadBasket } from './load'\n"
)


def block(code: str, language: str = "ts", path: str = "web/till.ts") -> str:
    return f"Create `{path}`:\n\n```{language}\n{code}\n```\n\n"


def misfits(folder: Path, text: str) -> list[str]:
    case = bench(shop(folder, **MORE), f"# A plan\n\nGoal: change it.\n\n{text}\n").case
    return [f"{each.subject} {each.lines[0]}" for each in type_misfits(case)]


PLANNED = "interface Till {\n  open: boolean\n  rows: TillRow[]\n}\n\ninterface TillRow {\n  amount: number\n}\n"


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("code", "subject"),
    [
        (f"{IMPORTED}export function f(basket: Basket) {{\n  return basket.total\n}}", "Basket.total"),
        (f"{IMPORTED}export function f(basket: Basket | null) {{\n  return basket?.total\n}}", "Basket.total"),
        (f"{IMPORTED}export function f({{ id, total }}: Basket) {{\n  return id\n}}", "Basket.total"),
        (f"{IMPORTED}const basket = await loadBasket('1')\nshow(basket.total)", "Basket.total"),
        (f"{IMPORTED}const {{ total }} = await loadBasket('1')", "Basket.total"),
        (f"{IMPORTED}export const f = (basket: Basket) => basket.rows.map((row) => row.cost)", "BasketRow.cost"),
        (
            f"{IMPORTED}export function f(baskets: Basket[]) {{\n  for (const each of baskets) show(each.total)\n}}",
            "Basket.total",
        ),
        (f"{IMPORTED}export function f(gift: GiftBasket) {{\n  return gift.id + gift.ribbon\n}}", "GiftBasket.ribbon"),
        (f"{IMPORTED}const basket: Basket = {{ id: '1', rows: [], total: 2 }}", "Basket.total"),
        (f"{IMPORTED}const basket: Basket = {{ id: '1' }}", "Basket.rows"),
        (f"{IMPORTED}const basket = {{ id: '1', rows: [], total: 2 }} satisfies Basket", "Basket.total"),
        (f"{IMPORTED}export function f(): Basket {{\n  return {{ id: '1' }}\n}}", "Basket.rows"),
        (f"{IMPORTED}const basket: Basket = {{ id: '1', rows: [{{ price: 1, label: '', cost: 2 }}] }}", "BasketRow.cost"),
        (f"{IMPORTED}export function f(basket: Basket) {{\n  basket.rows.push({{ price: 1 }})\n}}", "BasketRow.label"),
        (f"{PLANNED}export function f(till: Till) {{\n  till.closed = true\n}}", "Till.closed"),
        (f"{PLANNED}export function f(till: Till) {{\n  till.rows = [{{ amount: 1, tax: 2 }}]\n}}", "TillRow.tax"),
        (
            f"{IMPORTED}class Desk {{\n  basket: Basket\n  f() {{\n    return this.basket.total\n  }}\n}}",
            "Basket.total",
        ),
        (f"{IMPORTED}class Desk {{\n  box: Box\n  f() {{\n    return this.box.take('1').total\n  }}\n}}", "Basket.total"),
        (f"{IMPORTED}put('1', {{ id: '1', rows: [], total: 2 }})\nfunction put(id: string, it: Basket) {{}}", "Basket.total"),
        (f"{IMPORTED}export function f(page: Page<Basket>) {{\n  return page.items + page.size\n}}", "Page.size"),
        (f"{IMPORTED}const state: BasketState = 'close'", "BasketState.close"),
        (f"{IMPORTED}export const f = (state: BasketState) => state === 'close'", "BasketState.close"),
        (f"{IMPORTED}export function f(): {{ state: BasketState }} {{\n  return {{ state: 'close' }}\n}}", "BasketState.close"),
        ("import { Basket } from '@shop/web/types'\nexport const f = (basket: Basket) => basket.total", "Basket.total"),
        (f"{IMPORTED}class Crate implements Box {{\n  put(): void {{}}\n}}", "Box.take"),
        ("async f(basket: Basket): Promise<number> {\n  return basket.total\n}", "Basket.total"),
        ("import { Badge } from './Badge'\nexport const X = () => <Badge label='1' colour='red' />", "Badge props.colour"),
        ("import { Badge } from './Badge'\nexport const X = () => <Badge tone='red' />", "Badge props.label"),
    ],
)
def test_what_a_type_does_not_declare(tmp_path: Path, code: str, subject: str) -> None:
    found = misfits(tmp_path, block(code, "tsx", "web/till.tsx"))
    assert [each.rpartition(" ")[0] for each in found] == [subject]


@pytest.mark.parametrize(
    "code",
    [
        f"{IMPORTED}export function f(basket: Basket) {{\n  return basket.note ?? basket.toString()\n}}",
        f"{IMPORTED}export function f(basket: any) {{\n  return basket.total\n}}",
        f"{IMPORTED}export function f(basket: Basket | Other) {{\n  return basket.total\n}}",
        f"{IMPORTED}export function f(basket: OpenBasket) {{\n  return basket.total\n}}",
        f"{IMPORTED}export function f(basket: FarBasket) {{\n  return basket.total\n}}",
        f"{IMPORTED}export function f(basket: Basket) {{\n  return 'total' in basket ? basket.total : 0\n}}",
        f"{IMPORTED}export function f<Basket>(basket: Basket) {{\n  return basket.total\n}}",
        f"{IMPORTED}function f(basket: Basket) {{}}\nfunction g(basket: Other) {{\n  return basket.total\n}}",
        f"{IMPORTED}const basket = loadBasket('1')\nbasket.then(show)",
        f"{IMPORTED}const basket: Basket = {{ ...other, total: 2 }}",
        f"{IMPORTED}const basket: Basket = {{ id: '1', [key]: 2 }}",
        f"{IMPORTED}const basket: Partial<Basket> = {{ id: '1' }}",
        f"{IMPORTED}const basket = {{ id: '1', total: 2 }} as Basket",
        f"{IMPORTED}export function f(baskets: Basket[]) {{\n  return baskets.length\n}}",
        f"{IMPORTED}const state: BasketState = 'open'\nconst other: BasketState | string = 'shut'",
        f"{IMPORTED}export function f(page: Page<Basket>) {{\n  return page.next.total\n}}",
        f"{IMPORTED}class Crate implements Box {{\n  put(): void {{}}\n  take(id: string) {{\n    return all[id]\n  }}\n}}",
        f"{IMPORTED}class Crate implements Box {{\n  put(): void {{}}\n  // ... other methods\n}}",
        f"{IMPORTED}class Crate extends Case implements Box {{\n  put(): void {{}}\n}}",
        f"{IMPORTED}put('1', ...rest, {{ total: 2 }})\nfunction put(id: string, it: Basket) {{}}",
        "class Desk {\n  f() {\n    return this.helper()\n  }\n}",
        "import { Basket } from 'other'\nexport function f(basket: Basket) {\n  return basket.total\n}",
        "interface Part {\n  id: string\n  // ... existing fields\n}\nexport const f = (part: Part) => part.total",
        "import { Badge } from './Badge'\nexport const X = (props) => <Badge {...props} colour='red' />",
        "import { Badge } from './Badge'\nexport const X = () => <Badge key='1' data-x='2' label='1'>a</Badge>",
        f"{IMPORTED}export function f(basket: Basket) {{\n  return basket.total +\n}}",
    ],
)
def test_what_may_fit(tmp_path: Path, code: str) -> None:
    assert misfits(tmp_path, block(code, "tsx", "web/till.tsx")) == []


WRAPPED = "export function patch(id: string, body: %s) {}\n\npatch('1', { note: 'x' })"
INLINE = "{\n  note: string\n  total: number\n}"


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("wrapper", ["%s", "Readonly<%s>", "Required<%s>"])
def test_an_object_inside_of_what_keeps_its_shape_needs_all_members(tmp_path: Path, wrapper: str) -> None:
    text = block(WRAPPED % (wrapper % INLINE))
    assert [each.rpartition(" ")[0] for each in misfits(tmp_path, text)] == ["patch(…).total"]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "wrapper",
    [
        *("Partial<%s>", "Partial<%s> = {}", "Readonly<Partial<%s>>", "Partial<Readonly<%s>>", "DeepPartial<%s>"),
        *("Pick<%s, 'note'>", "Omit<%s, 'total'>", "Record<string, %s>", "Wrapped<%s>", "Partial<Pick<%s, 'note'>>"),
    ],
)
def test_an_object_inside_of_another_wrapper_needs_nothing(tmp_path: Path, wrapper: str) -> None:
    assert misfits(tmp_path, block(WRAPPED % (wrapper % INLINE))) == []


@pytest.mark.rule("P20")
@pytest.mark.parametrize(("label", "found"), [("- Create:", ["Basket.total 11"]), ("- Modify:", [])])
def test_a_file_that_nobody_knows_may_have_a_type_of_its_own(tmp_path: Path, label: str, found: list[str]) -> None:
    code = "const basket: Basket = { id: '1', rows: [], total: 2 }"
    text = f"{label} `web/safe.ts`\n\nIn `web/safe.ts`:\n\n```ts\n\n{code}\n```\n"
    assert misfits(tmp_path, text) == found


def test_a_method_that_another_block_shows_is_there(tmp_path: Path) -> None:
    use = block(f"{IMPORTED}export function f(box: Box) {{\n  return box.sweep()\n}}", "tsx", "web/till.tsx")
    head = "Beside `put`:\n\n```ts\nsweep(now = Date.now()): void {\n  clear(now)\n}\n```\n\n"
    assert [each.rpartition(" ")[0] for each in misfits(tmp_path, use)] == ["Box.sweep"]
    assert misfits(tmp_path, head + use) == []


@pytest.mark.parametrize(
    "words",
    [
        "Add the field `total` first.\n\n",
        "`Basket` has `total` by then.\n\n",
        "- Modify: `web/types.ts`: extend `Basket`\n\n",
        "```ts\n  total: number\n```\n\n",
        "```ts\n  async total(): Promise<number> {\n    return 1\n  }\n```\n\n",
        "```diff\n+  total?: number\n```\n\n",
    ],
)
def test_what_the_plan_adds(tmp_path: Path, words: str) -> None:
    code = f"{IMPORTED}export function f(basket: Basket) {{\n  return basket.total\n}}"
    assert misfits(tmp_path, words + block(code)) == []


def test_one_doubt_for_one_type(tmp_path: Path) -> None:
    code = f"{IMPORTED}export function f(basket: Basket) {{\n  return basket.total + basket.tax\n}}"
    (found,) = type_misfits(bench(shop(tmp_path, **MORE), f"# A plan\n\n{block(code)}").case)
    assert (found.places, "`total`, `tax`" in found.concern) == (("web/types.ts:1",), True)


def test_a_part_of_the_only_class_of_its_file(tmp_path: Path) -> None:
    code = "async pay(): Promise<number> {\n  return this.basket.total\n}"
    assert misfits(tmp_path, f"Add to `web/desk.ts`:\n\n```ts\n{code}\n```\n") == ["Basket.total 9"]


@pytest.mark.rule("P20")
def test_a_method_that_a_block_adds_in_several_lines_is_there(tmp_path: Path) -> None:
    use = "import { Counter } from './desk'\n\nconst counter = new Counter()\ncounter.countRows('a')\n"
    added = "async countRows(\n  name: string,\n): Promise<number> {\n  return 1\n}"
    assert misfits(tmp_path, block(use)) != []
    assert misfits(tmp_path, block(use) + "Add:\n\n```ts\n" + added + "\n```\n") == []
