"""Which tests hold which rule, read from the marks in the test files without running them."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Marked:
    """A test, as `file::test`, with the rules that it or its whole file is marked with."""

    name: str
    rules: tuple[str, ...]
    nightly: bool
    """Whether none of its parameters runs on every push."""


def marked_tests(root: Path = ROOT) -> dict[str, list[str]]:
    """Rule id -> the tests marked with it."""
    found: dict[str, list[str]] = defaultdict(list)
    for each in _read(root):
        for rule in each.rules:
            found[rule].append(each.name)
    return found


def rules_held_only_at_night(root: Path = ROOT) -> list[str]:
    tests = _read(root)
    often = {rule for each in tests if not each.nightly for rule in each.rules}
    return sorted({rule for each in tests for rule in each.rules} - often)


@cache
def _read(root: Path) -> list[Marked]:
    return [each for path in sorted((root / "tests").rglob("test_*.py")) for each in _tests_of(path, str(path.relative_to(root)))]


def _tests_of(path: Path, name: str) -> Iterator[Marked]:
    module = ast.parse(path.read_text(encoding="utf-8"))
    of_file = [node for node in module.body if _is_mark_of_file(node)]
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            marks = [*of_file, *node.decorator_list]
            rules = dict.fromkeys(rule for mark in marks for rule in _rules_in(mark))
            yield Marked(f"{name}::{node.name}", tuple(rules), any(_is_nightly(mark) for mark in marks))


def _is_mark_of_file(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(each, ast.Name) and each.id == "pytestmark" for each in node.targets)


def _rules_in(node: ast.AST) -> list[str]:
    """The ids in every `pytest.mark.rule(...)` below a node."""
    return [
        argument.value
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def _is_nightly(mark: ast.AST) -> bool:
    """The mark of the whole test or file. Within `parametrize` it concerns single parameters."""
    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.parametrize":
        return False
    return any(isinstance(each, ast.Attribute) and ast.unparse(each) == "pytest.mark.nightly" for each in ast.walk(mark))
