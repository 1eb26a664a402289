"""What a block must be able to import by the end of its step: at once what stands at its top, and what a function of it imports
where a run of the step comes to that function.

Always: tests are written first, and an import inside of a function that no test of the step comes to waits for its step.
"""

import ast
import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.python_trees import Imported

OUTCOME = re.compile(
    r"(?:\bexpect(?:ed|s)?\b|预期|期望|(?:→|->|—)(?=[ \t*`]{0,4}(?:pass|fail)))[^\n]{0,80}?"
    r"(?:(?P<good>\bpass(?:es|ed|ing)?\b|\bgreen\b|\bsucceeds?\b|通过)"
    r"|\bfail|\berror|\bred\b|失败)",
    re.IGNORECASE,
)
"""What a run is expected to end with."""
_WORD = re.compile(r"[A-Za-z_]\w*")
MAX_ROUNDS = 8
"""Calls from a test to what it comes to at last."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def needed_by(case: Case, code: Code) -> tuple[Imported, ...]:
    """The imports that must not fail by the end of the step."""
    there = tuple(each for each in code.imports if not each.optional)
    if not _is_carried_out(case, code):
        return () if code.is_test else tuple(each for each in there if not each.late)
    asleep = _asleep(case, code) if any(each.late for each in there) else set[int]()
    return tuple(each for each in there if not each.late or each.line - code.block.first + 1 not in asleep)


def names_waiting(case: Case, code: Code) -> frozenset[str]:
    """What the functions of a block import from beside their file that no run of the step comes to."""
    top = {id(node) for node in code.tree.body} if code.tree else set[int]()
    nodes = [node for node in ast.walk(code.tree) if isinstance(node, ast.ImportFrom) and node.level] if code.tree else []
    late = [node for node in nodes if id(node) not in top]
    asleep = _asleep(case, code) if late and _is_carried_out(case, code) else None
    waiting = (node for node in late if asleep is None or node.lineno in asleep)
    return frozenset(each.asname or each.name for node in waiting for each in node.names)


def _is_carried_out(case: Case, code: Code) -> bool:
    """Whether the step of a block ends on a run that is to succeed, and has a test of its own or runs the one that is named for
    the block's file."""
    step = next((each for each in case.outline.steps if each.number == code.step), None)
    after = case.lines[code.block.first : step.end] if step else []
    told = [match for line in after if (match := OUTCOME.search(line))]
    if not told or not told[-1]["good"]:
        return False
    stem = re.escape(code.path.rpartition("/")[2].partition(".")[0])
    run = re.compile(rf"\b(?:test_{stem}|{stem}[._](?:test|spec))\b")
    tested = any(each.is_test for each in case.codes if each.step == code.step)
    return tested or (bool(stem) and any(run.search(line) for line in after))


def _asleep(case: Case, code: Code) -> set[int]:
    """The lines of functions that the tests of the step, as far as they are shown, do not come to by name."""
    beside = [each for each in case.codes if each.step == code.step and each.tree]
    tests = [each for each in beside if each.is_test]
    if not tests or code.tree is None or code.is_test:
        return set()
    functions = [one for each in beside if each.tree and not each.is_test for one in _functions(each.tree)]
    heard = {word for each in tests for word in _WORD.findall(each.text)}
    heard |= {word for each in beside if each.tree for node in each.tree.body for word in _outside(node)}
    for _ in range(MAX_ROUNDS):
        heard |= {word for node, owner in functions if _is_heard(node, owner, heard) for word in _words(node)}
        functions = [one for one in functions if not _is_heard(*one, heard)]
    return {line for node, _ in functions for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def _functions(tree: ast.Module) -> Iterator[tuple[Function, str]]:
    """Functions at the top and methods, with the class of each."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node, ""
        elif isinstance(node, ast.ClassDef):
            yield from ((each, node.name) for each in node.body if isinstance(each, Function))


def _is_heard(node: Function, owner: str, heard: set[str]) -> bool:
    """Whether a function may be come to: it is named, decorated, or a special method of a class that is named."""
    special = node.name.startswith("__") and (not owner or owner in heard)
    return special or node.name in heard or bool(node.decorator_list)


def _words(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        word = each.id if isinstance(each, ast.Name) else each.attr if isinstance(each, ast.Attribute) else ""
        if word:
            yield word


def _outside(node: ast.stmt) -> Iterator[str]:
    """The words of what runs as soon as a block is loaded."""
    if not isinstance(node, Function | ast.ClassDef):
        yield from _words(node)
