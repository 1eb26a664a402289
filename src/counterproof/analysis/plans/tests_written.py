"""The tests in Python or JavaScript code, by name, each with its number of cases.

Invariant: the result is None if the number of cases is uncertain: generated or skipped tests, computed parameters, classes that
inherit tests, omitted code.
"""

import ast
import re
from collections.abc import Iterable

from counterproof.analysis.plans.python_trees import parsed

PLAIN_BASES = ("object", "TestCase", "unittest.TestCase", "IsolatedAsyncioTestCase", "unittest.IsolatedAsyncioTestCase")
_TEXT = re.compile(r"'[^'\n]{0,300}'|\"[^\"\n]{0,300}\"|`[^`]{0,2000}`|//[^\n]{0,400}|/\*.{0,2000}?\*/", re.DOTALL)
_UNCERTAIN = re.compile(
    r"\bskip|\bxfail|importorskip|\btodo\b|\.only\b|\bparams[ \t]*=|\banyio\b|pytest_generate_tests|\bsubTest\b|@given\b|__test__"
    r"|runIf|describe\.\w|\bt\.test\(",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?m)(?:#|//|/\*)[ \t]*(?:\.\.\.|…)|(?:#|//|/\*)[^\n]{0,80}\b(?:more|rest|similar(?:ly)?|others?|existing"
    r"|remaining|same|etc)\b"
    r"[^\n]{0,40}\b(?:tests?|cases?|above|here)\b|^[ \t]*(?:\.\.\.|…)[ \t]*$"
)
"""Comments and dots in place of omitted tests."""
_SCRIPT_TEST = re.compile(r"(?m)^(?P<indent>[ \t]*)(?:await[ \t]+)?(?:it|test|Deno\.test)[ \t]*\(")
_ANY_TEST = re.compile(r"(?<![\w$.])(?:it|test)(?:\.\w+)?[ \t]*[(`]")
_TITLE = re.compile(r"[ \t\n]*(?P<mark>[\"'`])(?P<title>(?:\\.|(?!(?P=mark)).){0,400})(?P=mark)", re.DOTALL)
_BLOCK = re.compile(r"[ \t]*(?:\}\)?;?[ \t]*)?(?:await[ \t]+)?(?:describe|suite|test\.describe)[ \t]*\(")

Tests = dict[str, int]
"""The number of cases of each test, by name."""


def tests_in(text: str, ending: str) -> Tests | None:
    """The tests in code of a file with this extension; None if they cannot be counted."""
    if _UNCERTAIN.search(text) or _LEFT_OUT.search(text):
        return None
    tree = parsed(text) if ending == "py" else None
    return _script_tests(text) if ending != "py" else _python_tests(tree) if tree else None


def _python_tests(tree: ast.Module) -> Tests | None:
    lists = {
        node.targets[0].id: len(node.value.elts)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.List | ast.Tuple)
    }
    found: dict[str, int | None] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            times = _cases(node, lists) if _is_collected(node) else None
            for each in _functions(node.body):
                cases = _cases(each, lists)
                found[f"{node.name}.{each.name}"] = times * cases if times is not None and cases is not None else None
        else:
            own = _functions([node])
            under = [] if own else _functions(ast.walk(node))  # run under a condition, or made by a function
            found.update({each.name: _cases(each, lists) for each in own} | {each.name: None for each in under})
    certain = {name: cases for name, cases in found.items() if cases is not None}
    return certain if len(certain) == len(found) else None


def _functions(nodes: Iterable[ast.AST]) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")]


def _is_collected(node: ast.ClassDef) -> bool:
    """Return True if a class contains tests and inherits none."""
    bases = [ast.unparse(base) for base in node.bases]
    return all(base in PLAIN_BASES for base in bases) and (
        node.name.startswith("Test") or any(base.endswith("TestCase") for base in bases)
    )


def _cases(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, lists: dict[str, int]) -> int | None:
    """The cases of a function or a class: the product of the lengths of its parameter lists."""
    count = 1
    for each in node.decorator_list:
        if not (isinstance(each, ast.Call) and ast.unparse(each.func).endswith("parametrize")):
            continue
        values = [*each.args[1:2], *(one.value for one in each.keywords if one.arg == "argvalues"), None][0]
        if isinstance(values, ast.List | ast.Tuple) and not any(isinstance(one, ast.Starred) for one in values.elts):
            count *= len(values.elts)
        elif isinstance(values, ast.Name) and values.id in lists:
            count *= lists[values.id]
        else:
            return None
    return count


def _script_tests(text: str) -> Tests | None:
    bare = _TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    tests = list(_SCRIPT_TEST.finditer(bare))
    if len(tests) != len(_ANY_TEST.findall(bare)):
        return None
    found: Tests = {}
    for match in tests:
        title = _TITLE.match(text, match.end()) if _is_top(bare, match) else None
        if title is None or "${" in title["title"]:
            return None
        name = title["title"]
        while name in found:
            name += " "
        found[name] = 1
    return found


def _is_top(bare: str, match: re.Match[str]) -> bool:
    """Return True if a test is only inside groups of tests: a loop may run it more than once."""
    room = len(match["indent"].expandtabs(4))
    for line in reversed(bare[: match.start()].split("\n")):
        depth = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        if line.strip() and depth < room:
            if not _BLOCK.match(line):
                return False
            room = depth
        if room == 0:
            break
    return True
