"""Whether a regular expression is run in the file that creates it.

Creating one takes no time, whatever its pattern; running it does. Invariant: it counts as only passed on if every use was seen
and none runs it: it becomes part of a store query, or is unused. An expression that is returned or passed to a function may be
run there, and counts as run. Not handled here: the origin of the pattern.
"""

from collections.abc import Iterator

from counterproof.analysis.program.file import File
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk

MAKING = frozenset({"RegExp", "compile"})
_PASSED_ON = (ir.Argument, ir.Mapping, ir.Sequence, ir.Conditional, ir.Boolean)


def is_handed_on(file: File, line: int, end: int) -> bool:
    """Return True if no expression created on these lines is run in this file."""
    made = [each.node for each in file.of(ir.Call) if line <= each.line <= end and last_name(each.node.callee) in MAKING]
    return bool(made) and all(_is_unrun(file, each, frozenset()) for each in made)


def _is_unrun(file: File, node: ir.Node, names: frozenset[str]) -> bool:
    """`names`: variables that are known to hold it."""
    mapped = False
    above = file.parent(node)
    while isinstance(above, _PASSED_ON):
        mapped = mapped or isinstance(above, ir.Mapping)
        above = file.parent(above)
    if mapped or isinstance(above, ir.ExprStatement):
        return True
    target = above.targets[0] if isinstance(above, ir.Assign) and len(above.targets) == 1 else None
    if not isinstance(target, ir.Name):
        return False
    if target.id in names:
        return True
    return all(_is_unrun(file, each, names | {target.id}) for each in _uses(file, target.id))


def _uses(file: File, name: str) -> Iterator[ir.Name]:
    for each in walk(*file.module.body):
        above = file.parent(each)
        if isinstance(each, ir.Name) and each.id == name and not (isinstance(above, ir.Assign) and above.value is not each):
            yield each
