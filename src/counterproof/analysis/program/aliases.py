"""Annotation aliases: `CurrentUser = Annotated[User, Depends(current_user)]`.

Invariant: an annotation that is not an alias of `Annotated` is returned unchanged. Not handled here: the parts of an annotation.
"""

from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.syntax.ir import Attribute, Expr, Index, Name


def spelled_out(codebase: Codebase, outline: Outline, annotation: Expr | None) -> tuple[Outline, Expr | None]:
    """The expanded annotation, and the module that defines it."""
    found = codebase.meaning(outline, annotation) if isinstance(annotation, Name | Attribute) else None
    if found is None or not isinstance(found.node, Index):
        return outline, annotation
    kind = found.outline.dotted(found.node.value).rpartition(".")[2]
    return (found.outline, found.node) if kind == "Annotated" else (outline, annotation)
