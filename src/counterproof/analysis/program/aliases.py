"""Annotations that stand for others: `CurrentUser = Annotated[User, Depends(current_user)]`.

Invariant: what is no name for something written with `Annotated` is given back as it is. Not handled here: what the parts of
an annotation mean.
"""

from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.syntax.ir import Attribute, Expr, Index, Name


def spelled_out(codebase: Codebase, outline: Outline, annotation: Expr | None) -> tuple[Outline, Expr | None]:
    """The annotation as it was written where it was given its name, and the module where that is."""
    found = codebase.meaning(outline, annotation) if isinstance(annotation, Name | Attribute) else None
    if found is None or not isinstance(found.node, Index):
        return outline, annotation
    kind = found.outline.dotted(found.node.value).rpartition(".")[2]
    return (found.outline, found.node) if kind == "Annotated" else (outline, annotation)
