"""Python source to the intermediate form, through tree-sitter, so that broken and newer syntax still yields code.

Invariant: `lower` returns for every text; what it could not follow is in `Module.problems`. Not handled here: reading files,
or anything about what the code means.
"""

from functools import cache

import tree_sitter_python
from tree_sitter import Language, Node, Parser

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.parsing import parsed
from counterproof.analysis.syntax.python.expressions import EXPRESSIONS
from counterproof.analysis.syntax.python.imports import IMPORTS
from counterproof.analysis.syntax.python.lowering import Lowering
from counterproof.analysis.syntax.python.statements import STATEMENTS
from counterproof.analysis.syntax.spelling import needs_python_spelling, python_spelling, respelled
from counterproof.analysis.syntax.walk import module_name


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_python.language()))


def lower(path: str, text: str) -> ir.Module:
    """The module that this text is. `path` gives it its name and resolves its relative imports."""
    source, root = _parsed(text)
    name, package = module_name(path)
    cx = Lowering(source, package, EXPRESSIONS, STATEMENTS)
    if root.has_error:
        cx.record_errors(root)
    body = cx.block(root, 0)
    return ir.Module(
        path,
        name,
        package,
        source.count(b"\n") + 1,
        body,
        tuple(cx.functions),
        tuple(cx.classes),
        {**cx.inner_imports, **cx.top_imports},
        tuple(dict.fromkeys(cx.wildcards)),
        tuple(dict.fromkeys(cx.rebound)),
        tuple(cx.problems),
    )


def top_imports(path: str, text: str) -> tuple[ir.Import, ...]:
    """The imports in the body of the module that `lower` makes, for a tenth of the time where nothing else is asked for."""
    source, root = _parsed(text)
    if root.has_error:  # broken code is read in many ways, and only there
        return tuple(each for each in lower(path, text).body if isinstance(each, ir.Import))
    cx = Lowering(source, module_name(path)[1], EXPRESSIONS, STATEMENTS)
    found = (each for child in root.named_children if child.type in IMPORTS for each in IMPORTS[child.type](cx, child, 0))
    return tuple(each for each in found if isinstance(each, ir.Import))


def import_spans(source: bytes) -> tuple[tuple[int, int], ...]:
    """First and last byte of every import statement, wherever it stands; without recursion."""
    found: list[tuple[int, int]] = []
    pending = [parsed(_parser(), source.replace(b"\x00", b" "))]
    while pending:
        current = pending.pop()
        if current.type in IMPORTS:
            found.append((current.start_byte, current.end_byte))
        elif not current.type.endswith(("string", "call", "comment")):
            pending.extend(current.named_children)
    return tuple(found)


def _parsed(text: str) -> tuple[bytes, Node]:
    source = text.encode("utf-8", "replace").replace(b"\x00", b" ").removeprefix(b"\xef\xbb\xbf")
    root = parsed(_parser(), source)
    if needs_python_spelling(text) and (plain := respelled(source, root, python_spelling)) is not source:
        return plain, parsed(_parser(), plain)
    return source, root
