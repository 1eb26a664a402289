"""How large the code and its documentation may be: the figures of `budgets.toml` against those of the tree.

    python scripts/budgets.py           print both
    python scripts/budgets.py --check   fail if a figure is above its budget, or well below it
    python scripts/budgets.py --lower   write lower figures into `budgets.toml`, and take out packages that are gone

A change that ends lower lowers the budget. Raising one is done by hand, with a sentence under `[raised]` that says why; against
`origin/main`, where it is known, a raise without a sentence fails.
"""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from change_base import base_of, git
from rule_marks import ROOT

FILE = "scripts/budgets.toml"
COUNTED = (".py", ".toml", ".scm", ".js", ".css")
DETAILED = "analysis"
"""The package whose own packages have budgets too."""
STEP = 50
"""Budgets of lines and words are multiples of this, so that one line more is not yet a raise."""
SLACK, FEW = 0.03, 75
"""So much below its budget a figure may lie: a share, and for lines and words at least so many."""

Figures = dict[str, int]
"""By `section.name`, as `lines.total`."""


def measure(root: Path) -> Figures:
    source = root / "src" / "counterproof"
    found: Counter[str] = Counter()
    for path in sorted(source.rglob("*")):
        parts = path.relative_to(source).parts
        if path.suffix not in COUNTED or any(part.startswith("cases") for part in parts):
            continue
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        for name in ("total", *packages(parts)):
            found[f"lines.{name}"] += lines
        if path.suffix == ".py":
            found["longest.module"] = max(found["longest.module"], lines)
            found["longest.function"] = max([found["longest.function"], *function_lines(text)])
    pages = [*root.glob("docs/**/*.md"), *(root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))]
    found["words.docs"] = sum(len(page.read_text(encoding="utf-8").split()) for page in pages if page.is_file())
    return dict(found)


def packages(parts: tuple[str, ...]) -> Iterator[str]:
    """The packages that a file counts for; files beside the packages count for `(modules)`."""
    first, *inner = parts
    yield first if inner else "(modules)"
    if first == DETAILED:
        yield f"{DETAILED}/{inner[0] if len(inner) > 1 else '(modules)'}"


def function_lines(text: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def read(text: str) -> tuple[Figures, dict[str, str]]:
    """The budgets, and why some of them were raised."""
    sections = tomllib.loads(text)
    raised: dict[str, str] = sections.pop("raised", {})
    return {f"{section}.{name}": figure for section, each in sections.items() for name, figure in each.items()}, raised


def compare(budgets: Figures, figures: Figures) -> list[str]:
    """What is above its budget or too far below it."""
    problems: list[str] = []
    for name, figure in figures.items():
        budget = budgets.get(name, 0)
        if figure > budget:
            problems.append(f"{name}: {figure:,} is {figure - budget:,} above the budget of {budget:,}")
        elif budget - figure > slack(name, budget):
            problems.append(f"{name}: {figure:,} is {budget - figure:,} below the budget; run `scripts/budgets.py --lower`")
    gone = [name for name in budgets if name not in figures and not name.startswith("ci.")]
    return problems + [f"{name}: has a budget and is gone; run `scripts/budgets.py --lower`" for name in gone]


def budget_of(name: str, figure: int) -> int:
    return figure if name.startswith("longest.") else -(-figure // STEP) * STEP


def slack(name: str, budget: int) -> float:
    return SLACK * budget if name.startswith("longest.") else max(FEW, SLACK * budget)


def unexplained(before: Figures, after: Figures, raised: dict[str, str]) -> list[str]:
    """Budgets that are higher than before without a sentence."""
    higher = [name for name, budget in after.items() if budget > before.get(name, 0) and not raised.get(name, "").strip()]
    return [f"{name}: raised to {after[name]:,}; say why under [raised] in {FILE}" for name in higher]


def lower(text: str, figures: Figures) -> str:
    """The file with lower figures, without packages that are gone; comments stay."""
    kept: list[str] = []
    section = ""
    for line in text.splitlines():
        section = line[1:-1] if re.fullmatch(r"\[\w+\]", line) else section
        entry = re.fullmatch(r'("?)([^"]+)\1 = ([\d_]+)', line)
        name = f"{section}.{entry[2]}" if entry else ""
        if not entry or section == "ci":
            kept.append(line)
        elif name in figures:
            kept.append(f"{entry[1]}{entry[2]}{entry[1]} = {min(int(entry[3]), budget_of(name, figures[name]))}")
    return "\n".join(kept) + "\n"


def main() -> None:
    text = (ROOT / FILE).read_text(encoding="utf-8")
    figures = measure(ROOT)
    if "--lower" in sys.argv:
        (ROOT / FILE).write_text(lower(text, figures), encoding="utf-8")
        return
    budgets, raised = read(text)
    problems = compare(budgets, figures)
    if base := base_of("origin/main"):
        before, _ = read(git("show", f"{base}:{FILE}"))
        problems += unexplained(before, budgets, raised) if before else []
    if "--check" not in sys.argv:
        for name, budget in budgets.items():
            print(f"{figures[name]:>9,} of {budget:>9,}  {name}" if name in figures else f"{budget:>22,}  {name} (not measured)")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems and "--check" in sys.argv else 0)


if __name__ == "__main__":
    main()
