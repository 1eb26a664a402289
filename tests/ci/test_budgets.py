"""The budgets of code and documentation: what is counted, and what `--check` and `--lower` do."""

from pathlib import Path

import budgets
import pytest

TEXT = """# How large it may be.
[lines]
total = 1000
"analysis/flow" = 400

[longest]
function = 40

[ci]
minutes = 10

[raised]
"lines.total" = "A program model replaces two indexes in the next change."
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for path, text in {
        "src/counterproof/flow.py": "X = 1\n",
        "src/counterproof/analysis/flow/step.py": "class A:\n    def f(self):\n        x = 1\n        return x\n",
        "src/counterproof/analysis/flow/words.toml": "a = 1\nb = 2\n",
        "src/counterproof/analysis/flow/page.html": "<p>\n",
        "src/counterproof/analysis/rules/xss/cases.py": "1\n2\n3\n",
        "src/counterproof/analysis/rules/xss/cases/a.py": "1\n2\n3\n",
        "docs/how-to/a.md": "one two three\n",
        "README.md": "four five\n",
        "benchmarks/notes.md": "not counted\n",
    }.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return tmp_path


def test_measure_a_tree_counts_code_without_cases_and_words_of_pages(tree: Path) -> None:
    assert budgets.measure(tree) == {
        "lines.total": 7,
        "lines.(modules)": 1,
        "lines.analysis": 6,
        "lines.analysis/flow": 6,
        "longest.module": 4,
        "longest.function": 3,
        "words.docs": 5,
    }


@pytest.mark.parametrize(
    ("name", "figure", "problem"),
    [
        ("lines.total", 1000, ""),
        ("lines.total", 1001, "lines.total: 1,001 is 1 above the budget of 1,000"),
        ("lines.total", 925, ""),
        ("lines.total", 924, "lines.total: 924 is 76 below the budget"),
        ("longest.function", 38, "longest.function: 38 is 2 below the budget"),
        ("lines.new", 10, "lines.new: 10 is 10 above the budget of 0"),
    ],
)
def test_compare_a_figure_off_its_budget_is_a_problem(name: str, figure: int, problem: str) -> None:
    known, _ = budgets.read(TEXT)
    figures = {each: value for each, value in known.items() if not each.startswith("ci.")} | {name: figure}
    assert [each.partition(";")[0] for each in budgets.compare(known, figures)] == ([problem] if problem else [])


def test_lower_writes_lower_figures_only_and_drops_packages_that_are_gone() -> None:
    lowered = budgets.lower(TEXT, {"lines.total": 871, "longest.function": 50})
    assert lowered == TEXT.replace("total = 1000", "total = 900").replace('"analysis/flow" = 400\n', "")


def test_a_raised_budget_without_a_sentence_is_a_problem() -> None:
    before, _ = budgets.read(TEXT)
    after, raised = budgets.read(TEXT.replace("total = 1000", "total = 1100").replace("function = 40", "function = 45"))
    assert [each.partition(":")[0] for each in budgets.unexplained(before, after, raised)] == ["longest.function"]
