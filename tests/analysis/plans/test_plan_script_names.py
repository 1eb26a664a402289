"""Doubts about names in scripts that a plan writes out and that their file does not have."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence, Grade
from counterproof.analysis.plans.examination import examine
from counterproof.analysis.plans.script_trees import script_of

FILES = {
    "web/Form.tsx": (
        "import { useState } from 'react'\n\nexport function Form({ owner }: Props) {\n"
        "  const [open, setOpen] = useState(false)\n  return <form onSubmit={() => setOpen(!open)} />\n}\n"
    ),
    "web/Card.tsx": "import { Link } from 'router'\n\nexport const Card = () => <Link to='/'>{__BUILD__}</Link>\n",
    "web/money.ts": "export function rounded(value: number) {\n  return value\n}\nexport type Money = { value: number }\n",
    "web/page.js": "function start() {\n  draw()\n}\n",
    "web/Rows.vue": "<template>{{ rows }}</template>\n<script setup>\nimport { ref } from 'v'\nconst rows = ref(0)\n</script>\n",
}


def block(code: str, lead: str, language: str = "tsx") -> str:
    return f"{lead}\n\n```{language}\n{code}\n```\n\n"


def raised(folder: Path, text: str) -> list[Doubt]:
    case = bench(shop(folder, **FILES), f"# A plan\n\n{text}\n").case
    return [each for each in examine(case) if each.kind is Kind.UNBOUND]


IN_FORM = "In `web/Form.tsx`, put below the button:"
LINK = block("<Link to='/help'>Help</Link>", IN_FORM)
CAREFUL = block("import { rows } from 'rows'\nrows()", "Add to `web/Card.tsx`:")
PRICES = block("import { tax } from './tax'\n\nexport const price = (net) => rounded(net * tax)", "Create `web/price.ts`:", "ts")


@pytest.mark.parametrize(
    ("text", "subject", "word"),
    [
        (LINK, "Link", "web/Card.tsx:1 has it from `router`"),
        (block("const paid: Money = read(owner)\nconst read = rounded", IN_FORM), "rounded", "nor `Money` (line 6)"),
        ("- Create: `web/price.ts`\n\n" + PRICES, "rounded", "`web/price.ts` neither defines nor imports `rounded`"),
        (
            block(
                "import { one } from './one'\n\nexport const two = useState(one)", "Replace the entire content of `web/Form.tsx`:"
            ),
            "useState",
            "web/Form.tsx:1 has it from `react`",
        ),
        (block("const total = rounded(rows.value)", "Add to `web/Rows.vue`:", "ts"), "rounded", "web/money.ts:1"),
        (
            block("export const draft = 1\nexport const other = 2", "Add to `web/drafts.ts`:", "ts")
            + block("setOpen(draft > 1)", "Add to `web/Form.tsx`:"),
            "draft",
            "plan:6",
        ),
        (
            block("import { Link } from 'router'", "In `web/Other.tsx`, add the import:") + LINK,
            "Link",
            "plan:6 has it from `router`",
        ),
    ],
)
def test_a_name_that_the_file_does_not_import_is_doubted(tmp_path: Path, text: str, subject: str, word: str) -> None:
    [found] = raised(tmp_path, text + CAREFUL)
    assert found.subject == subject
    assert word in found.concern
    assert found.evidence is Evidence.SCRIPT_UNIMPORTED


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("run", "evidence"),
    [
        ("npx tsc --noEmit", Evidence.SCRIPT_UNIMPORTED),
        ("pnpm run build", Evidence.SCRIPT_UNIMPORTED),
        ("npx vitest run web", Evidence.LEFT_IMPORT),
    ],
)
def test_a_type_that_nothing_checks_is_met_by_nobody(tmp_path: Path, run: str, evidence: Evidence) -> None:
    text = block("const paid: Money = owner.id", IN_FORM) + CAREFUL + f"Run: `{run}`\n"
    [found] = raised(tmp_path, text)
    assert (found.subject, found.evidence) == ("Money", evidence)


def test_a_plan_that_gives_no_imports_is_asked(tmp_path: Path) -> None:
    [found] = raised(tmp_path, LINK)
    assert (found.subject, found.grade) == ("Link", Grade.ASKED)


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("lead", "evidence"),
    [
        ("In `web/Form.tsx`, put below the button:", Evidence.SCRIPT_UNIMPORTED),
        ("Below the button:", Evidence.LEFT_IMPORT),
        ("The button, as it is in `web/Form.tsx`:", Evidence.LEFT_IMPORT),
    ],
)
def test_a_block_that_does_not_name_its_file_is_weaker_evidence(tmp_path: Path, lead: str, evidence: Evidence) -> None:
    text = "### Task 1: Help\n\n- Modify: `web/Form.tsx`\n\n" + block("<Link to='/help'>Help</Link>", lead)
    [found] = raised(tmp_path, f"{text}### Task 2: Rows\n\n{CAREFUL}")
    assert (found.subject, found.evidence, found.grade) == ("Link", evidence, Grade.ASKED)


def test_a_name_that_is_nowhere_is_asked(tmp_path: Path) -> None:
    [found] = raised(tmp_path, block("<form onReset={forgetDraft} />", IN_FORM))
    assert (found.subject, found.grade) == ("forgetDraft", Grade.ASKED)


@pytest.mark.parametrize(
    "text",
    [
        block("setOpen(owner.id > 1 && !open)", IN_FORM),
        block("<p>{__BUILD__}</p>", IN_FORM),
        block("const at: HTMLElement | null = document.querySelector('form')", IN_FORM),
        block("type Named = React.ComponentType<Props>", IN_FORM),
        block("rounded(1)", "In `web/page.js`, add:", "js"),
        block("setOpen(Link)\n...", IN_FORM),
        block("name: string,\nother: number,", "Add to the properties in `web/Form.tsx`:", "ts"),
        block("<Link to='/help'>Help</Link>", "For example, in `web/Form.tsx`:"),
        block("<Link to='/help'>Help</Link>", "In `web/Form.tsx` import `Link` and add:"),
        block("<Link to='/help'>Help</Link>", "In `web/Form.tsx` (extend the existing imports), add:"),
        "- Consumes: `Link` of the router.\n\n" + LINK,
        block("import { Link } from 'router'", "At the top:") + LINK,
        block("import { Link } from 'router'", "In `web/Form.tsx`, find and change to:") + LINK,
        block("  Link,\n  Money as Sum,\n  type rounded,", "Add to the exports of `web/Form.tsx`:", "ts"),
        block("Link,\nuseRows,", "Import these from `router`:", "ts") + LINK,
        block("export function help(to: Money): Link;\nexport function rows(): Money;", "In `web/Form.tsx`:", "ts"),
        block("export function helpLink(to) {\n  return to\n}\nif (open) {", "Replace with:", "ts")
        + block("setOpen(helpLink(1))", IN_FORM)
        + block("import { helpLink } from './Form'", "In `web/Rows.vue`:", "ts"),
        block("if (typeof forgetDraft !== 'undefined') setOpen(true)", IN_FORM),
        block("// ... imports stay\n<Link to='/help'>Help</Link>", IN_FORM),
        block("expect(forgetDraft(1)).toBe(2)", "Write the failing test in `web/Form.tsx`:"),
        "- Create: `web/price.ts`\n\n" + block("export const price = rounded(1)", "Create `web/price.ts`:", "ts"),
    ],
)
def test_a_name_that_may_be_there_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert raised(tmp_path, text + CAREFUL) == []


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("import a, { b as c, type D } from 'x'\na(b, c as D)", ["b"]),
        ("const f = ({ q, r: [s = t], ...u }: V) => q(r, s, u)", ["V", "t", "r"]),
        ("for (const x of y) { try { z(x) } catch (e) { e } }", ["y", "z"]),
        ("async load(x: A) { return this.y(x, z) }", ["A", "z"]),
        ("a: b,\nc: { d },", ["b", "d"]),
        ("<A b={c}><d.E /></A>\n<f g='h' />", ["A", "c", "d"]),
        ("type M<T> = { [K in keyof T]: T[K] extends infer U ? U : N.O }", ["N"]),
        ("export { a as b }\nexport { c } from './d'", ["a"]),
        ("({ a: b } = c)", ["b", "c"]),
    ],
)
def test_free_names_of_a_script(text: str, free: list[str]) -> None:
    script = script_of(text)
    assert script is not None
    assert sorted(script.free) == sorted(free)


@pytest.mark.parametrize("text", ["a ... b", "function (", "<" * 500 + "a"])
def test_what_does_not_parse_says_nothing(text: str) -> None:
    assert script_of(text) is None


def test_exports_of_a_script() -> None:
    script = script_of("export const a = 1, b = 2\nexport default function c() {}\nexport { d as e }\nexport type F = G")
    assert script is not None
    assert (set(script.exported), script.is_open) == ({"a", "b", "c", "e", "F"}, False)
    for text in ("export * from './a'", "export const { a } = b", "module.exports = { a }"):
        shown = script_of(text)
        assert shown is not None
        assert shown.is_open


KEPT = "import {\n  rounded,\n  type Coin,\n} from './money'\n\nexport const sums = (rows) => {\n  return rounded(rows)\n}\n"
GONE = block("import { rounded } from './money'", "Find and remove from `web/sums.ts`:", "ts")


def dropped(folder: Path, text: str) -> list[Doubt]:
    case = bench(shop(folder, **FILES, **{"web/sums.ts": KEPT}), f"# A plan\n\n{text}\n").case
    return [each for each in examine(case) if each.kind is Kind.REMOVAL]


def test_an_import_that_a_line_still_needs_is_not_to_be_removed(tmp_path: Path) -> None:
    [found] = dropped(tmp_path, GONE)
    [named] = dropped(tmp_path, GONE.replace("remove from", "drop the import of `rounded` from"))
    assert named == found
    assert (found.subject, found.places, found.grade) == ("rounded", ("web/sums.ts:7",), Grade.ASKED)


@pytest.mark.parametrize(
    "text",
    [
        GONE + block("  return rounded(rows)", "Find in `web/sums.ts`:", "ts"),
        GONE + "Then rewrite `sums` so that it counts by itself.\n",
        GONE + "Replace all uses of rounded in that file.\n",
        GONE + "Then delete lines 5-9.\n",
        GONE + block("import { rounded } from './other'", "Add to `web/sums.ts`:", "ts"),
        GONE + block("import { a } from './a'\n\nexport const sums = a", "Write `web/sums.ts` anew:", "ts"),
        block("import { other } from './money'", "Find and remove from `web/sums.ts`:", "ts"),
        block("import { rounded } from './money'", "Keep in `web/sums.ts`:", "ts"),
        block("import { rounded } from './money'", "In `web/sums.ts`, change the imports (drop `Coin`):", "ts"),
        block("import {\n  type rounded,\n} from './money'", "In `web/sums.ts`, drop the type `Coin`:", "ts"),
        block("import { rounded, exact } from './money'", "In `web/sums.ts`, drop the coin and add this:", "ts"),
        block("import { rounded, Coin as Money } from './money'", "In `web/sums.ts`, remove the old name:", "ts"),
    ],
)
def test_an_import_that_nothing_needs_any_more_may_go(tmp_path: Path, text: str) -> None:
    assert dropped(tmp_path, text) == []


def unexported(folder: Path, text: str) -> list[Doubt]:
    hidden = "const half = 2\nexport const whole = half\n"
    more = {"web/parts.ts": hidden, "web/all.ts": "export * from './parts'\n"}
    case = bench(shop(folder, **FILES, **more), f"# A plan\n\n{text}\n").case
    return [each for each in examine(case) if each.kind is Kind.IMPORT]


def test_a_name_that_a_module_keeps_to_itself_cannot_be_imported(tmp_path: Path) -> None:
    [found] = unexported(tmp_path, block("import { half, whole } from './parts'\nhalf", "Add to `web/Form.tsx`:"))
    assert (found.subject, found.places, found.grade) == ("half", ("web/parts.ts:1",), Grade.ASKED)


@pytest.mark.parametrize(
    "text",
    [
        block("import { whole } from './parts'\nwhole", "Add to `web/Form.tsx`:"),
        block("import { half } from './all'\nhalf", "Add to `web/Form.tsx`:"),
        block("import { half } from './parts'\nhalf", "Add to `web/Form.tsx`:") + "Export `half` too.\n",
        block("import { half } from './parts'\nhalf", "Add to `web/Form.tsx`:")
        + block("export const half = 2", "Change `web/parts.ts`:", "ts"),
        block("import parts, * as all from './parts'\nparts(all)", "Add to `web/Form.tsx`:"),
    ],
)
def test_a_name_that_a_module_exports_may_be_imported(tmp_path: Path, text: str) -> None:
    assert unexported(tmp_path, text) == []


def reassigned(folder: Path, code: str) -> list[Doubt]:
    case = bench(shop(folder, **FILES), f"# A plan\n\n{block(code, 'Write:', 'ts')}\n").case
    return [each for each in examine(case) if each.kind is Kind.SAID]


@pytest.mark.parametrize(
    "code", ["const rows = []\nrows = [1]", "const at = 1\nfunction step() {\n  at++\n}", "const n = 1\nn += 2"]
)
def test_a_constant_keeps_its_value(tmp_path: Path, code: str) -> None:
    [found] = reassigned(tmp_path, code)
    assert (found.places, found.grade) == (("plan:6",), Grade.STANDS)


@pytest.mark.parametrize(
    "code",
    [
        "let rows = []\nrows = [1]",
        "const rows = []\nrows.length = 0\nrows[0] = 1",
        "function one() {\n  const rows = []\n}\nrows = [1]",
        "const rows = []\nfunction one(rows) {\n  rows = [1]\n}",
        "const rows = []\nfunction one() {\n  let rows = 1\n  rows = 2\n}",
        "const rows = []\nconst one = ({ rows }) => {\n  rows = 2\n}",
    ],
)
def test_a_variable_may_change(tmp_path: Path, code: str) -> None:
    assert reassigned(tmp_path, code) == []


@pytest.mark.rule("P16")
@pytest.mark.parametrize("path", ["../db/helpers.ts", "../../etc/passwd.ts", "web/../../db/helpers.ts"])
def test_a_file_outside_of_the_tree_says_nothing(tmp_path: Path, path: str) -> None:
    text = block("export const one = 1", f"Create `{path}`:", "ts")
    text += block(
        f"import {{ two }} from './{path.rpartition('/')[2][:-3]}'\n\ntwo()", f"Create `{path.replace('.ts', '.test.ts')}`:", "ts"
    )
    assert unexported(tmp_path, text) == []
