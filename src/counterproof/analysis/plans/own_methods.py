"""Doubts about methods that a plan's Python calls on the object which it is part of, and that nothing has.

Always: only code for a class of a file that is there, whose bases are all known, and only names that stand nowhere in the code of
the repository, in no block of the plan but in such calls, and in no code marks. What a class may get otherwise is not asked.
"""

import ast
from collections.abc import Iterator
from typing import TypeGuard

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.free_names import is_unwritten
from counterproof.analysis.plans.symbols import Symbols
from counterproof.analysis.plans.written_files import Written, written_files


def missing_methods(case: Case) -> Iterator[Doubt]:
    """Methods that are called on `self` and that no class, block or word of the plan brings."""
    symbols = Symbols(case)
    words = {name for code in case.codes for name in code.words}
    for file in written_files(case):
        found = {name: at for name, at in _called(file, symbols) if name not in words and is_unwritten(case, name)}
        if found:
            yield _doubt(file, found)


def _called(file: Written, symbols: Symbols) -> Iterator[tuple[str, int]]:
    """What blocks for classes of a file that are known in full call on their own object, with the lines."""
    there = [node.name for node in file.there.body if isinstance(node, ast.ClassDef)] if file.there else []
    shapes = {name: symbols.class_in(file.path, name) for name in there}
    known = {name for name, shape in shapes.items() if shape and shape.closed}
    for code, tree in file.sure:
        for part in tree.body:
            owners = {part.name} if isinstance(part, ast.ClassDef) else set(there)
            if owners and owners <= known:
                calls = (node.func for node in ast.walk(part) if isinstance(node, ast.Call))
                yield from ((each.attr, code.block.first + each.lineno - 1) for each in calls if _is_own(each))


def _is_own(node: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _doubt(file: Written, names: dict[str, int]) -> Doubt:
    first, line = next(iter(names.items()))
    listed = ", ".join(f"`self.{name}()`" for name in names)
    return Doubt(
        Kind.MEMBER,
        f"self.{first}",
        f"and {len(names) - 1} more" if len(names) > 1 else "",
        f"The plan's code for `{file.path}` calls {listed}, which nothing in its classes, the plan or another file defines",
        f"Line {line} raises AttributeError",
        f"Define {listed}, or call what is there",
        lines=tuple(names.values()),
        places=(f"plan:{line}",),
        evidence=Evidence.LACKING,
    )
