"""Doubts about whole Python files that a plan writes out: names that they use and neither define nor import.

Always: only files that the plan makes, from all blocks that it gives for them together, where each of them parses, leaves
nothing out and imports nothing by star. What Python brings along, and what the names of annotations may stand for, is not asked.
"""

import ast
import builtins
import re
import sys
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import Code, bound_names
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.model.plan.outline import Intent, Mention

OMITTED = re.compile(
    r"(?m)(?:^|:)[ \t]*(?:\.\.\.|…)|#[ \t]*(?:\.\.\.|…|(?:existing|unchanged|same as|rest of|other|as before|see)\b)",
    re.IGNORECASE,
)
_GIVEN = frozenset([*dir(builtins), "__file__", "__name__", "__doc__", "__path__", "__spec__", "WindowsError", "reveal_type"])


def unbound_names(case: Case) -> Iterator[Doubt]:
    """Names that a new file uses and does not have."""
    made = {each.text for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm}
    by_path: dict[str, list[Code]] = {}
    for code in case.new_codes:
        if code.path.endswith(".py") and code.path in made and not case.ground.exists(code.path):
            by_path.setdefault(code.path, []).append(code)
    for path, codes in by_path.items():
        if _is_whole(codes):
            yield from _unbound(case, path, codes)


def _is_whole(codes: list[Code]) -> bool:
    """Whether the blocks together are a file: the first one opens with imports, and nothing is left out."""
    if any(code.tree is None or OMITTED.search(code.text) or code.block.language in ("diff", "patch") for code in codes):
        return False
    first = codes[0].tree
    return first is not None and any(isinstance(node, ast.Import | ast.ImportFrom) for node in first.body[:4])


def _unbound(case: Case, path: str, codes: list[Code]) -> Iterator[Doubt]:
    trees = [(code, code.tree) for code in codes if code.tree]
    bound = {name for _, tree in trees for name in bound_names(tree)}
    if "*" in bound:
        return
    seen: set[str] = set()
    for code, tree in trees:
        hidden = {id(node) for each in _annotations(tree) for node in ast.walk(each)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or id(node) in hidden:
                continue
            if node.id not in bound and node.id not in _GIVEN and node.id not in seen and node.id not in case.prose_words:
                seen.add(node.id)
                yield _doubt(path, node.id, code.block.first + node.lineno - 1, _home_of(case, node.id))


def _home_of(case: Case, name: str) -> str:
    """Where a name could be imported from: the plan, one file of the code, Python's own library; '' if from nowhere."""
    shown = next((f"plan:{code.defined[name]}" for code in case.codes if name in code.defined), "")
    there = case.ground.occurrences(name).definitions
    return (
        shown
        or (f"{there[0][0]}:{there[0][1]}" if len(there) == 1 else "")
        or ("Python" if name in sys.stdlib_module_names else "")
    )


def _annotations(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
            yield node.returns


def _doubt(path: str, name: str, line: int, home: str) -> Doubt:
    """What is there and was not imported fails, and so does a constant that is nowhere: nobody can guess its value. A function
    that is nowhere, or private to another file, was left to whoever carries the plan out."""
    there = f"; it comes from {home}" if home else ", and no line of the plan says what it is"
    return Doubt(
        Kind.UNBOUND,
        name,
        "",
        f"The code that the plan gives for `{path}` neither defines nor imports `{name}`{there}",
        f"Line {line} raises NameError",
        f"Add the import of `{name}`" if home else f"Say what `{name}` is",
        lines=(line,),
        places=(home if ":" in home else f"plan:{line}",),
        evidence=Evidence.UNBOUND if not name.startswith("_") and (home or name.isupper()) else Evidence.ABSENT,
    )
