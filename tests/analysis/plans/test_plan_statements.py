"""What a plan's words say is there: packages, lines of a file, values, users, scripts. Refuted where reading decides."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, is_firm, shop
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence, Grade
from counterproof.analysis.plans.examination import examine

MORE = {
    ".gitignore": "dist/\n*.log\nbuild\n",
    ".github/workflows/ci.yml": "on: push\njobs:\n  lint:\n    runs-on: x\n  test:\n    runs-on: x\n",
    "package.json": '{"name": "shop", "scripts": {"test": "vitest"}, "dependencies": {"vue": "3", "drizzle-kit": "1"}}\n',
    "Cargo.toml": '[package]\nname = "till"\n\n[dependencies]\nserde = "1"\n',
    "noxfile.py": "import nox\n\n\n@nox.session\ndef lint(session):\n    session.run('ruff')\n",
    "shop/names.py": (
        "SHOP_NAME = 'corner'\nMAX_ROWS = 20\n\n\ndef clean_name():\n    return 1\n\n\ndef name():\n    return clean_name()\n"
    ),
    "tests/test_rows.py": (
        "import pytest\n\n\n@pytest.mark.parametrize('a', [1, 2])\ndef test_a(a):\n    assert a\n\n\n"
        "def test_b():\n    assert 1\n"
    ),
}


def _block(code: str, language: str, lead: str) -> str:
    return f"{lead}\n\n```{language}\n{code}\n```\n"


def _found(folder: Path, text: str) -> list[Doubt]:
    plan = f"# Totals\n\n## Goal\n\nTotals are kept.\n\n1. Change `report()` in `shop/report.py`. {text}\n"
    return [each for each in examine(bench(shop(folder, **MORE), plan).case) if is_firm(each)]


FALSE = [
    ("Use the existing `globset` dependency for this.", Kind.DEPENDENCY, "globset"),
    ("`proper-lockfile` (already a dependency) guards it.", Kind.DEPENDENCY, "proper-lockfile"),
    ("No new dependency is needed: `polars` is in `requirements.txt` already.", Kind.DEPENDENCY, "polars"),
    ("**Reuse it.** The project already depends on `polars`.", Kind.DEPENDENCY, "polars"),
    ("`.gitignore` already ignores `shop/`.", Kind.SAID, ".gitignore"),
    ("`data/` is git-ignored.", Kind.SAID, ".gitignore"),
    ("`shop/cart.py` already imports `open_ledger`.", Kind.SAID, "shop/cart.py"),
    ("`open_ledger()` is already called in `shop/cart.py`.", Kind.SAID, "shop/cart.py"),
    ("`shop/cart.py` already registers `/health/live`.", Kind.SAID, "shop/cart.py"),
    ("`add_item()` already registers `GET /health/live`.", Kind.SAID, "shop/cart.py"),
    ("`shop/prices.py` does not define `total_price` yet.", Kind.SAID, "shop/prices.py"),
    ("There is no `total_price()` in `shop/prices.py` today.", Kind.SAID, "shop/prices.py"),
    ("`.github/workflows/ci.yml` has a single job.", Kind.SAID, ".github/workflows/ci.yml"),
    ("`ci.yml` has a single prepare job.", Kind.SAID, ".github/workflows/ci.yml"),
    ("`.github/workflows/ci.yml` has a single `prepare` job.", Kind.SAID, ".github/workflows/ci.yml"),
    ("`tests/test_cart.py` has 7 tests.", Kind.SAID, "tests/test_cart.py"),
    ("`tests/test_rows.py` holds a single test.", Kind.SAID, "tests/test_rows.py"),
    ("`MAX_ROWS` already defaults to 50.", Kind.VALUE, "MAX_ROWS"),
    ("The present value of `MAX_ROWS` is 50.", Kind.VALUE, "MAX_ROWS"),
    ('`SHOP_NAME` is set to "market" today.', Kind.VALUE, "SHOP_NAME"),
    ('`SHOP_NAME = "market"` is kept.', Kind.VALUE, "SHOP_NAME"),
    ("`ci.yml` only has one job.", Kind.SAID, ".github/workflows/ci.yml"),
    ("We depend on `polars` today.", Kind.DEPENDENCY, "polars"),
    ("The `polars` package is already used elsewhere.", Kind.DEPENDENCY, "polars"),
    ("Run `pnpm typecheck:all`.", Kind.COMMAND, "pnpm typecheck:all"),
    ("Run `pnpm --filter shop check-types`.", Kind.COMMAND, "pnpm --filter shop check-types"),
    ("Run `cargo test -p drawer`.", Kind.COMMAND, "cargo test -p drawer"),
    ("Run `nox -s types`.", Kind.COMMAND, "nox -s types"),
]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(("text", "kind", "subject"), FALSE)
def test_what_reading_refutes_stands(tmp_path: Path, text: str, kind: Kind, subject: str) -> None:
    assert [(each.kind, each.subject) for each in _found(tmp_path, text)] == [(kind, subject)]


USED = [
    ("`old_total()` has no callers outside of `shop/prices.py`.", Kind.UNUSED, "old_total"),
    ("`old_total()` isn't referenced anywhere.", Kind.UNUSED, "old_total"),
    ("`old_total()` has no callers.\n2. Change `shop/report.py`.", Kind.UNUSED, "old_total"),
    ("`shop/cart.py` is the only caller of `old_total()`.", Kind.UNUSED, "old_total"),
]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(("text", "kind", "subject"), USED)
def test_other_users_than_a_line_says_are_asked_about(tmp_path: Path, text: str, kind: Kind, subject: str) -> None:
    plan = f"# Totals\n\n1. Change `report()` in `shop/report.py`. {text}\n"
    (doubt,) = examine(bench(shop(tmp_path, **MORE), plan).case)
    assert (doubt.kind, doubt.subject, doubt.grade) == (kind, subject, Grade.ASKED)


TRUE = [
    "Use the existing `vue` dependency for this.",
    "`requests` (already a dependency) fetches it.",
    "If `globset` is already a dependency, use it.",
    "Use the existing `globset` dependency.\n2. Run `cargo add globset`.",
    "Add `globset` to the existing dependencies.",
    "`HoldingService` is already declared as a dependency.",
    "The existing `shop` library already has it.",
    "The existing `json` library is enough.",
    "Like the existing `globset` and `vue` dependencies.",
    "`dist/` is already in `.gitignore`.",
    "`shop/app.log` is git-ignored.",
    "Then check:\n\n- [ ] `shop/kept/` is git-ignored.",
    "`.gitignore` already ignores `shop/kept/`.\n2. Put `shop/kept/` into the list of ignored files.",
    "`shop/cart.py` already imports `total_price`.",
    "Once step 2 is done, `shop/cart.py` already imports `open_ledger`.",
    "`shop/cart.py` already imports `open_ledger`.\n2. Import `open_ledger` in `shop/cart.py`.",
    "`shop/cart.py` will import `open_ledger`.",
    "`shop/prices.py` does not define `open_ledger` yet.",
    "`.github/workflows/ci.yml` has two jobs.",
    "`.github/workflows/ci.yml` has a `lint` job.",
    "`.github/workflows/ci.yml` has a single lint job.",
    "`tests/test_rows.py` has 3 tests.",
    "`tests/test_cart.py` holds a single test.",
    "`MAX_ROWS` already defaults to 20.",
    'Then `SHOP_NAME` is set to "market".',
    '`SHOP_NAME` is set to "corner" today.',
    "The only caller of `old_total()` is `shop/report.py`.",
    "The `shop` package already has it.",
    "`clean_name()` has no callers outside of `shop/names.py`.",
    "Change `shop/report.py`: it sums by itself.\n2. `old_total()` now has no callers.",
    "Run `pnpm drizzle-kit push`.",
    "Run `pnpm --filter shop-web exec vitest`.",
    "Run `cargo test -p till`.",
    "Run `cargo test -p serde`.",
    "Run `nox -s lint`.",
]


@pytest.mark.rule("P20")
@pytest.mark.parametrize("text", TRUE)
def test_what_holds_or_is_left_open_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert _found(tmp_path, text) == []


def test_packages_that_one_manifest_lacks_are_one_doubt(tmp_path: Path) -> None:
    code = 'import { produce } from "immer"\nimport mitt from "mitt"\n\nproduce(mitt())'
    (doubt,) = examine(bench(shop(tmp_path, **MORE), "# P\n\n" + _block(code, "ts", "Create `shop/cart.ts`:")).case)
    assert (doubt.subject, doubt.rest, len(doubt.lines)) == ("immer", "and 1 more", 2)
    assert "`mitt`" in doubt.concern


@pytest.mark.rule("P20")
@pytest.mark.parametrize("module", ["astro:actions", "node:fs", "virtual:pages"])
def test_what_a_runtime_or_a_bundler_brings_is_no_package(tmp_path: Path, module: str) -> None:
    code = f"import {{ rows }} from '{module}'\n\nrows()"
    assert examine(bench(shop(tmp_path, **MORE), "# P\n\n" + _block(code, "ts", "Create `shop/cart.ts`:")).case) == ()


@pytest.mark.parametrize(
    ("after", "evidence"), [("", Evidence.UNDECLARED), ("2. Run `go mod tidy`.\n", Evidence.UNDECLARED_LOOSELY)]
)
def test_a_module_of_go_is_declared_by_a_command(tmp_path: Path, after: str, evidence: Evidence) -> None:
    code = _block('import (\n\t"github.com/samber/lo"\n)\n\nvar all = lo.Uniq', "go", "In `till/main.go`:")
    files = {"go.mod": "module example.com/till\n\ngo 1.22\n", "till/main.go": "package main\n"}
    (doubt,) = examine(bench(shop(tmp_path, **files), f"# P\n\n{code}\n{after}").case)
    assert (doubt.subject, doubt.evidence) == ("github.com/samber/lo", evidence)


@pytest.mark.parametrize(("made", "count"), [("desk/go.mod", 0), ("shelf/go.mod", 1)])
def test_a_module_that_the_plan_makes_declares_for_itself(tmp_path: Path, made: str, count: int) -> None:
    code = _block('import (\n\t"github.com/samber/lo"\n)\n\nvar all = lo.Uniq', "go", "Create `desk/app/main.go`:")
    files = {"go.mod": "module example.com/till\n\ngo 1.22\n", "till/main.go": "package main\n"}
    assert len(examine(bench(shop(tmp_path, **files), f"# P\n\n- Create: `{made}`\n\n{code}").case)) == count


@pytest.mark.parametrize(("other", "count"), [('Add `"typecheck:all": "tsc"` to the scripts.', 0), ("Nothing of it.", 1)])
def test_another_plan_may_add_the_script(tmp_path: Path, other: str, count: int) -> None:
    shop(tmp_path, **{"docs/plans/one.md": f"# One\n\n1. {other}\n"})
    assert len(_found(tmp_path, "Run `pnpm typecheck:all -- rows`.")) == count


@pytest.mark.parametrize("name", [".justfile", "Justfile", "justfile"])
def test_a_list_under_any_of_its_names_is_read(tmp_path: Path, name: str) -> None:
    shop(tmp_path, **{name: "lint:\n    ruff check\n"})
    (doubt,) = _found(tmp_path, "Run `just verify-all`.")
    assert (doubt.subject, doubt.places) == ("just verify-all", (f"{name}:1",))


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import polars\n\ndef rows(\n    ...", ["polars"]),
        ("import json\nimport shop\n\ndef rows(\n    ...", []),
        ("try:\n    import polars\nexcept ImportError\n    ...", []),
        ("import polars is what the next step does", []),
    ],
)
def test_code_that_does_not_parse_imports_by_its_outermost_lines(tmp_path: Path, code: str, found: list[str]) -> None:
    case = bench(shop(tmp_path), "# P\n\n" + _block(code, "python", "Change `shop/cart.py`:")).case
    assert [each.subject for each in examine(case) if each.kind is Kind.DEPENDENCY] == found


def test_packages_that_a_command_names_are_added_and_no_others(tmp_path: Path) -> None:
    code = 'import mitt from "mitt"\nimport blur from "expo-blur"\n\nmitt(blur)'
    text = "# P\n\n1. Run `npx expo install expo-blur`.\n\n" + _block(code, "ts", "Create `shop/cart.ts`:")
    (doubt,) = examine(bench(shop(tmp_path, **MORE), text).case)
    assert (doubt.subject, doubt.rest, doubt.grade) == ("mitt", "", Grade.ASKED)


@pytest.mark.parametrize(
    ("command", "count"),
    [
        ("Run `make release-all`.", 1),
        ("Run `cd shop && make release-all`.", 1),
        ("Run `cd frontend && make release-all`.", 0),
        ("Create `frontend/app.js`. Run `cd frontend && make release-all`.", 1),
        ("Run:\n\n```bash\ngit commit -m 'test: make release-all safe'\n```\n", 0),
        ("Run:\n\n```bash\nmake release-all && git commit -m 'test: more'\n```\n", 1),
    ],
)
def test_a_command_of_another_folder_or_in_a_message_is_not_doubted(tmp_path: Path, command: str, count: int) -> None:
    assert len(_found(tmp_path, command)) == count
