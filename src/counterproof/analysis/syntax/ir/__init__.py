"""The intermediate form that every language is lowered to: structured like the source, small, and picklable.

Invariant: lines count from 1 and both ends are included; expressions and blocks nest at most `MAX_DEPTH` deep; chains of one
operator and of `elif` are flat. Nodes compare by identity and never change after lowering; they are not frozen only because a
frozen constructor is three times slower and there are millions of them. Not handled here: features of a single language, and the
meaning of calls.
"""

from counterproof.analysis.syntax.ir.expressions import (
    MAX_DEPTH,
    Argument,
    Attribute,
    Await,
    Binary,
    Bind,
    Boolean,
    Call,
    Compare,
    Comprehension,
    Concat,
    Conditional,
    Const,
    Expr,
    Format,
    Generator,
    Index,
    Lambda,
    Mapping,
    Name,
    Node,
    Not,
    Parameter,
    Sequence,
    Slice,
    Spread,
    Unary,
    Unknown,
    Yield,
)
from counterproof.analysis.syntax.ir.statements import (
    Assert,
    Assign,
    Augment,
    Branch,
    Case,
    Class,
    Decorator,
    Delete,
    ExprStatement,
    Function,
    Handler,
    If,
    Import,
    Jump,
    Loop,
    Module,
    Problem,
    Raise,
    Return,
    Scope,
    Statement,
    Switch,
    Try,
    With,
    WithItem,
)

__all__ = [
    "MAX_DEPTH", "Argument", "Assert", "Assign", "Attribute", "Augment", "Await", "Binary", "Bind", "Boolean", "Branch",
    "Call", "Case", "Class", "Compare", "Comprehension", "Concat", "Conditional", "Const", "Decorator", "Delete", "Expr",
    "ExprStatement", "Format", "Function", "Generator", "Handler", "If", "Import", "Index", "Jump", "Lambda", "Loop",
    "Mapping", "Module", "Name", "Node", "Not", "Parameter", "Problem", "Raise", "Return", "Scope", "Sequence", "Slice",
    "Spread", "Statement", "Switch", "Try", "Unary", "Unknown", "With", "WithItem", "Yield",
]  # fmt: skip
