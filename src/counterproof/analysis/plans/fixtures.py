"""Doubts about tests of a plan that ask pytest for a fixture which they cannot get.

Always: a fixture counts where the test's own file, its blocks, a `conftest.py` above it or any one of the plan has it, however it
is bound there. Tests that other decorators may fill are not asked, nor is any where the project loads plugins of its own.
"""

import ast
import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import is_test_path
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.python_trees import parsed
from counterproof.analysis.plans.written_files import Written, written_files

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_PYTEST = """
request tmp_path tmp_path_factory tmpdir tmpdir_factory monkeypatch capsys capsysbinary capfd capfdbinary caplog recwarn cache
config pytestconfig record_property record_testsuite_property record_xml_attribute doctest_namespace testdir pytester subtests
"""
"""Fixtures of pytest itself."""


def missing_fixtures(case: Case) -> Iterator[Doubt]:
    """Fixtures that tests of the plan ask for, that the project has, and that these tests do not see."""
    if case.ground.holds("pytest_plugins"):
        return
    for file in written_files(case):
        found = dict(_missing(case, file)) if is_test_path(file.path) else {}
        homes = {name: home for name in found if (home := _home_of(case, name))}
        if homes:
            yield _doubt(file, {name: found[name] for name in homes}, homes)


def _missing(case: Case, file: Written) -> Iterator[tuple[str, int]]:
    """What tests of a file ask for and nothing that they see has, with the line of the plan."""
    shown = [code for code in case.codes if file.may_hold(code) or code.path.endswith("conftest.py")]
    above = [parsed(case.ground.text(path)) for path in _conftests(case, file.path)]
    trees = [*file.trees, *(code.tree for code in shown), *above]
    given = {name for tree in trees if tree for name in _made(tree)} | set(_PYTEST.split())
    given |= {name for code in shown if code.tree is None for name in code.words}
    if "*" in given or None in above:
        return
    for code, tree in file.sure:
        for test in _tests(tree):
            yield from ((name, code.block.first + test.lineno - 1) for name in _asked(test) if name not in given)


def _conftests(case: Case, path: str) -> Iterator[str]:
    """The files above a test that bring it fixtures."""
    folders = path.split("/")[:-1]
    above = ("/".join([*folders[:size], "conftest.py"]) for size in range(len(folders) + 1))
    return (each for each in above if case.ground.resolve(each) == each)


def _made(tree: ast.Module) -> Iterator[str]:
    """What code defines, imports or gives a value, and the words of its texts, which may name fixtures or parameters."""
    for node in ast.walk(tree):
        if isinstance(node, _Function | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\w+", node.value[:400])


def _tests(tree: ast.Module) -> Iterator[_Function]:
    """Tests that only pytest fills: functions, and methods of classes without bases."""
    plain = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.bases and node.name.startswith("Test")]
    for node in (*tree.body, *(each for one in plain for each in one.body)):
        if isinstance(node, _Function) and node.name.startswith("test_") and all(map(_is_mark, node.decorator_list)):
            yield node


def _is_mark(node: ast.expr) -> bool:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node).startswith("pytest.mark.")


def _asked(test: _Function) -> list[str]:
    """What a test asks for: parameters without a value."""
    names = [each.arg for each in (*test.args.posonlyargs, *test.args.args)]
    needed = names[: len(names) - len(test.args.defaults)]
    return [name for name in needed if name not in ("self", "cls")]


def _home_of(case: Case, name: str) -> str:
    """Where the repository or the plan has a fixture of this name; '' if nowhere."""
    found = case.ground.occurrences(name)
    for path, at in (*found.definitions, *found.test_uses):
        lines = case.ground.text(path).split("\n")[max(0, at - 4) : at] if path.endswith(".py") else [""]
        if re.match(rf"(?:async[ \t]+)?def[ \t]+{name}\(", lines[-1]) and any("fixture" in line for line in lines[:-1]):
            return f"{path}:{at}"
    return ""


def _doubt(file: Written, names: dict[str, int], homes: dict[str, str]) -> Doubt:
    first, line = next(iter(names.items()))
    listed = ", ".join(f"`{name}`" for name in names)
    return Doubt(
        Kind.UNBOUND,
        first,
        f"and {len(names) - 1} more" if len(names) > 1 else "",
        f"A test of the plan for `{file.path}` asks for {listed}, and neither the file nor a `conftest.py` above it has such a"
        f" fixture; `{first}` of {homes[first]} is not seen from there",
        f"The test of line {line} fails before it begins: fixture not found",
        f"Add the fixture {listed} to the file or its `conftest.py`, or name one that is there",
        lines=tuple(names.values()),
        places=(homes[first],),
        evidence=Evidence.UNSEEN_FIXTURE,
    )
