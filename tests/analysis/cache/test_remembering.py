"""What single files are judged by must be noted, or an edit elsewhere would leave an old result standing."""

import ast
from collections.abc import Iterator
from pathlib import Path

import counterproof.analysis

ANALYSIS = Path(counterproof.analysis.__file__).parent
JUDGING = ("config", "rules", "secrets", "endpoints", "program")
"""Where the results about single files are made that are kept between runs."""

WHOLE = {"Project", "Codebase"}
ALLOWED = {"codebase_of"}
"""It reads nothing; requests for an outline are recorded."""

UNNOTED = {"entered_program", "corpus_of", "other_entry_points"}
"""These cache reads without recording them; families with results cached by file cannot use them."""


def _code(folder: str) -> Iterator[tuple[str, ast.AST]]:
    for path in sorted((ANALYSIS / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            yield f"{path.relative_to(ANALYSIS)}", node


def _is_cached(node: ast.AST) -> bool:
    wanted = [each for each in getattr(node, "decorator_list", ()) if "cache" in ast.unparse(each).partition("(")[0]]
    return any("cached_property" not in ast.unparse(each) for each in wanted)


def _types(node: ast.FunctionDef) -> set[str]:
    return {ast.unparse(each.annotation) for each in node.args.args if each.annotation is not None}


def test_nothing_is_remembered_by_project_past_its_notes() -> None:
    cached = [
        f"{path}: {node.name}"
        for folder in JUDGING
        for path, node in _code(folder)
        if isinstance(node, ast.FunctionDef) and _is_cached(node) and _types(node) & WHOLE and node.name not in ALLOWED | UNNOTED
    ]
    assert cached == [], "use `Codebase.remembered`, `Project.once` or a trait, which note what was looked at"


def test_what_takes_no_notes_is_not_used_for_single_files() -> None:
    used = [
        f"{path}: {alias.name}"
        for folder in JUDGING
        for path, node in _code(folder)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in UNNOTED
    ]
    assert used == []
