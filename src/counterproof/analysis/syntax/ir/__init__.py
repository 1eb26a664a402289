"""The intermediate form that every language is lowered to: structured like the source, small, and picklable.

Always holds: lines count from 1 and both ends are included; expressions and blocks nest at most `MAX_DEPTH` deep; chains of
one operator and of `elif` are flat. Nodes compare by identity and are never changed after lowering; they are not frozen only
because a frozen constructor costs three times as much and there are millions of them. Does not belong here: anything that
only one language has, and anything about what a call means.
"""

from dataclasses import dataclass, field

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
    Raise,
    Return,
    Scope,
    Statement,
    Switch,
    Try,
    With,
    WithItem,
)


@dataclass(slots=True, eq=False)
class Problem:
    """A place the parser or the lowering could not follow. `unread`: what stands there was not looked at."""

    line: int
    text: str
    unread: bool = False


@dataclass(slots=True, eq=False)
class Module:
    """One file. `name` is the dotted name its path gives; `functions` and `classes` list all of them, nested ones too.

    `imports` maps every imported alias of the file to its dotted name, relative imports resolved; where an alias is bound
    twice, the import at the top level wins. `wildcards` are the modules imported with a star;
    `rebound` are the module's variables that some function assigns.
    """

    path: str
    name: str
    package: str
    lines: int
    body: tuple[Statement, ...]
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: dict[str, str] = field(default_factory=dict[str, str])
    wildcards: tuple[str, ...] = ()
    rebound: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


__all__ = [
    "MAX_DEPTH",
    "Argument",
    "Assert",
    "Assign",
    "Attribute",
    "Augment",
    "Await",
    "Binary",
    "Bind",
    "Boolean",
    "Branch",
    "Call",
    "Case",
    "Class",
    "Compare",
    "Comprehension",
    "Concat",
    "Conditional",
    "Const",
    "Decorator",
    "Delete",
    "Expr",
    "ExprStatement",
    "Format",
    "Function",
    "Generator",
    "Handler",
    "If",
    "Import",
    "Index",
    "Jump",
    "Lambda",
    "Loop",
    "Mapping",
    "Module",
    "Name",
    "Node",
    "Not",
    "Parameter",
    "Problem",
    "Raise",
    "Return",
    "Scope",
    "Sequence",
    "Slice",
    "Spread",
    "Statement",
    "Switch",
    "Try",
    "Unary",
    "Unknown",
    "With",
    "WithItem",
    "Yield",
]
