"""Statements whose columns are named by the sender: every key of a request's body becomes a column that is set (CWE-915).

Always holds: the key comes from a loop over a whole mapping, becomes part of the text of an INSERT or UPDATE that the same
function runs, and is left to the caller to be walked back to the request. Does not belong here: what the values do.
"""

from collections.abc import Iterator

from counterproof.analysis.program.file import File
from counterproof.analysis.program.queries import statement_parts, statement_text
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Concat, Expr, Format, Function, Loop, Name, Sequence
from counterproof.analysis.syntax.walk import walk

_FILLING = ("append", "add", "insert")
MAX_LOOPS = 40


def named_columns(ground: File, function: Function) -> Iterator[tuple[Name, Call]]:
    """Each use of a key as a column's name, with the call that puts it there."""
    loops = [node for node in walk(*function.body) if isinstance(node, Loop) and _key(node)][:MAX_LOOPS]
    if not loops:
        return
    joined = _joined(ground, function)
    for loop in loops:
        key = _key(loop)
        for node in walk(*loop.body):
            if isinstance(node, Call) and called(node) in _FILLING and _receiver(node) in joined and node.arguments:
                found = _column(node.arguments[-1].value, key)
                if found is not None:
                    yield found, node


def _key(loop: Loop) -> str:
    """`key` of `for key, value in body.items()`, or of `for key in body.keys()`."""
    source = loop.iterable
    if not isinstance(source, Call) or not isinstance(source.callee, Attribute) or source.callee.name not in ("items", "keys"):
        return ""
    target = loop.target.items[0] if isinstance(loop.target, Sequence) and loop.target.items else loop.target
    return target.id if isinstance(target, Name) else ""


def _receiver(call: Call) -> str:
    owner = call.callee.value if isinstance(call.callee, Attribute) else None
    return owner.id if isinstance(owner, Name) else ""


def _joined(ground: File, function: Function) -> frozenset[str]:
    """Lists whose items become part of a statement that writes."""
    found: set[str] = set()
    for node in walk(*function.body):
        if isinstance(node, Call):
            parts = statement_parts(ground, function, node)
            if statement_text(parts).startswith(("update ", "insert ")):
                found |= {each.id for part in parts for each in walk(part) if isinstance(each, Name)}
    return frozenset(found)


def _column(expr: Expr, key: str) -> Name | None:
    """The key where it stands for a column: by itself, or before a `=`."""
    if isinstance(expr, Name):
        return expr if expr.id == key else None
    if not isinstance(expr, Format | Concat) or not expr.parts:
        return None
    first = next((each for each in expr.parts if text_of(each) != ""), None)
    rest = "".join(text_of(each) or "" for each in expr.parts)
    is_set = rest.lstrip(' "`]').startswith("=")
    return first if isinstance(first, Name) and first.id == key and is_set else None
