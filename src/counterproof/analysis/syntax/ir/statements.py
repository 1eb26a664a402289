"""Statements and definitions of the intermediate form, and the whole file that they make up. Not handled here: how files refer
to each other.
"""

from dataclasses import dataclass, field

from counterproof.analysis.syntax.ir.expressions import Argument, Expr, Name, Node, Parameter


@dataclass(slots=True, eq=False)
class Assign(Node):
    """`a = b = value`. A declaration without a value (`x: int`) has value None."""

    targets: tuple[Expr, ...]
    value: Expr | None
    annotation: Expr | None = None


@dataclass(slots=True, eq=False)
class Augment(Node):
    """`target operator= value`; `operator` is without the '='."""

    target: Expr
    operator: str
    value: Expr


@dataclass(slots=True, eq=False)
class ExprStatement(Node):
    value: Expr


@dataclass(slots=True, eq=False)
class Return(Node):
    value: Expr | None


@dataclass(slots=True, eq=False)
class Raise(Node):
    value: Expr | None


@dataclass(slots=True, eq=False)
class Assert(Node):
    test: Expr


@dataclass(slots=True, eq=False)
class Jump(Node):
    """`break` or `continue`, by name."""

    kind: str


@dataclass(slots=True, eq=False)
class Branch(Node):
    """One tested arm of an `If`."""

    test: Expr
    body: "tuple[Statement, ...]"


@dataclass(slots=True, eq=False)
class If(Node):
    """Arms are tried in order; `otherwise` runs when none held."""

    branches: tuple[Branch, ...]
    otherwise: "tuple[Statement, ...]"


@dataclass(slots=True, eq=False)
class Case(Node):
    """One arm of a `Switch`.

    `values` are the literal alternatives it matches, `binds` the names it sets. With neither and no guard it is the default
    arm; `open` says that it matches by shape, so that no literal tells whether it is taken."""

    values: tuple[Expr, ...]
    binds: tuple[Name, ...]
    open: bool
    guard: Expr | None
    body: "tuple[Statement, ...]"


@dataclass(slots=True, eq=False)
class Switch(Node):
    subject: Expr
    cases: tuple[Case, ...]


@dataclass(slots=True, eq=False)
class Loop(Node):
    """`for target in iterable` or, with no target, `while test`. `otherwise` runs when the loop was not broken off."""

    target: Expr | None
    iterable: Expr | None
    test: Expr | None
    body: "tuple[Statement, ...]"
    otherwise: "tuple[Statement, ...]"


@dataclass(slots=True, eq=False)
class Handler(Node):
    """One `except`; `name` is '' where the error is not bound, `kind` None where everything is caught."""

    kind: Expr | None
    name: str
    body: "tuple[Statement, ...]"


@dataclass(slots=True, eq=False)
class Try(Node):
    body: "tuple[Statement, ...]"
    handlers: tuple[Handler, ...]
    otherwise: "tuple[Statement, ...]"
    final: "tuple[Statement, ...]"


@dataclass(slots=True, eq=False)
class WithItem(Node):
    value: Expr
    target: Expr | None


@dataclass(slots=True, eq=False)
class With(Node):
    items: tuple[WithItem, ...]
    body: "tuple[Statement, ...]"


@dataclass(slots=True, eq=False)
class Delete(Node):
    targets: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Scope(Node):
    """`global` (`outer` is 'module') or `nonlocal` ('function'): these names belong to an outer scope.

    'here', at the start of a function, lists the names that belong to the function where the language does not tell by itself."""

    outer: str
    names: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Import(Node):
    """Names bound by an import: (alias, dotted name). `everything` is set for `from module import *`."""

    names: tuple[tuple[str, str], ...]
    everything: str = ""


@dataclass(slots=True, eq=False)
class Decorator(Node):
    value: Expr


@dataclass(slots=True, eq=False)
class Function(Node):
    """A function or method. `line` is the line of its name, not of its decorators.

    `qualified` joins the enclosing scopes with dots ("Class.method", "outer.inner"); `owner` is the qualified name of the
    class it is a method of, or ''; `within` the qualified name of the function that encloses it, or ''."""

    name: str
    qualified: str
    parameters: tuple[Parameter, ...]
    decorators: tuple[Decorator, ...]
    body: "tuple[Statement, ...]"
    is_async: bool = False
    is_generator: bool = False
    returns: Expr | None = None
    owner: str = ""
    within: str = ""


@dataclass(slots=True, eq=False)
class Class(Node):
    """`bases` are the positional bases, `keywords` the rest (metaclass=…). Methods are found in `body`."""

    name: str
    qualified: str
    bases: tuple[Expr, ...]
    keywords: tuple[Argument, ...]
    decorators: tuple[Decorator, ...]
    body: "tuple[Statement, ...]"


Statement = (
    Assign
    | Augment
    | ExprStatement
    | Return
    | Raise
    | Assert
    | Jump
    | If
    | Switch
    | Loop
    | Try
    | With
    | Delete
    | Scope
    | Import
    | Function
    | Class
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
    `rebound` are the module's variables that some function assigns."""

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
