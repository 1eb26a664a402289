"""The tests in Python or JavaScript code, by name, each with its number of cases.

Invariant: the result is None if the number of cases is uncertain: generated or skipped tests, computed parameters, classes that
inherit tests, omitted code.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.lowered import is_method
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import spelled, walk

PLAIN_BASES = ("object", "TestCase", "unittest.TestCase", "IsolatedAsyncioTestCase", "unittest.IsolatedAsyncioTestCase")
_UNCERTAIN = re.compile(
    r"\bskip|\bxfail|importorskip|\btodo\b|\.only\b|\bparams[ \t]*=|\banyio\b|pytest_generate_tests|\bsubTest\b|@given\b|__test__"
    r"|runIf|describe\.\w|\bt\.test\(",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?:#|//|/\*)[^\n]{0,80}\b(?:more|rest|similar(?:ly)?|others?|existing|remaining|same|etc)\b"
    r"[^\n]{0,40}\b(?:tests?|cases?|above|here)\b"
)
"""Comments in place of omitted tests."""
_SCRIPT_TESTS, _SCRIPT_GROUPS = ("it", "test", "Deno.test"), ("describe", "suite")
Tests = dict[str, int]
"""The number of cases of each test, by name."""


def tests_in(code: Code, path: str) -> Tests | None:
    """The tests in a block of a file; None if they cannot be counted."""
    if code.omits or _UNCERTAIN.search(code.text) or _LEFT_OUT.search(code.text):
        return None
    module = code.module
    if module is None:
        return None
    python = path.endswith(".py")
    functions = {each.name: each for each in module.functions}
    found = dict(_python_tests(module.body) if python else _script_tests(module.body, functions, ""))
    if python:
        every = sum(each.name.startswith("test") for each in module.functions)
    else:
        every = sum(isinstance(node, ir.Call) and spelled(node.callee) in _SCRIPT_TESTS for node in walk(*module.body))
    certain = {name: cases for name, cases in found.items() if cases}
    return certain if len(certain) == every else None  # the others run under a condition, in a loop, or in a made function


def _python_tests(body: tuple[ir.Statement, ...], within: str = "", times: int = 1) -> Iterator[tuple[str, int]]:
    for each in body:
        if isinstance(each, ir.Function) and each.name.startswith("test") and (within or not is_method(each)):
            yield f"{within}{each.name}", times * _cases(each)
        elif isinstance(each, ir.Class) and not within and _is_collected(each):
            yield from _python_tests(each.body, f"{each.name}.", _cases(each))


def _is_collected(node: ir.Class) -> bool:
    """Return True if a class contains tests and inherits none."""
    bases = [spelled(base) for base in node.bases]
    return all(base in PLAIN_BASES for base in bases) and (
        node.name.startswith("Test") or any(base.endswith("TestCase") for base in bases)
    )


def _cases(node: ir.Function | ir.Class) -> int:
    """The cases of a function or a class: the product of the lengths of its parameter lists; 0 if one is unknown."""
    count = 1
    for call in (each.value for each in node.decorators if isinstance(each.value, ir.Call)):
        if spelled(call.callee).endswith("parametrize"):
            values = [*call.arguments[1:2], *(each for each in call.arguments if each.keyword == "argvalues")]
            items = values[0].value.items if values and isinstance(values[0].value, ir.Sequence) else ()
            count *= 0 if any(isinstance(each, ir.Spread) for each in items) else len(items)
    return count


def _script_tests(body: tuple[ir.Statement, ...], functions: dict[str, ir.Function], within: str) -> Iterator[tuple[str, int]]:
    """The tests in a body and in groups inside it, each run once."""
    for number, each in enumerate(body):
        call = each.value if isinstance(each, ir.ExprStatement) else None
        call = call.value if isinstance(call, ir.Await) else call
        if not isinstance(call, ir.Call) or not call.arguments:
            continue
        title, last = call.arguments[0].value, call.arguments[-1].value
        if spelled(call.callee) in _SCRIPT_TESTS and isinstance(title, ir.Const):
            yield f"{within}{number} {title.value}", 1
        elif spelled(call.callee) in _SCRIPT_GROUPS and spelled(last) in functions:
            yield from _script_tests(functions[spelled(last)].body, functions, f"{within}{number} ")
