"""Expressions of the intermediate form. Not handled here: what they mean, and anything that only one language has."""

from dataclasses import dataclass

MAX_DEPTH = 80
"""Nodes nested deeper become `Unknown`, with a limitation. Real code stays below half of it."""


@dataclass(slots=True, eq=False)
class Node:
    """Anything with a place in the source."""

    line: int
    end: int


@dataclass(slots=True, eq=False)
class Const(Node):
    """A literal. Texts are decoded; numbers too long to matter are `Unknown`."""

    value: str | bytes | int | float | bool | None


@dataclass(slots=True, eq=False)
class Name(Node):
    id: str


@dataclass(slots=True, eq=False)
class Attribute(Node):
    value: "Expr"
    name: str


@dataclass(slots=True, eq=False)
class Index(Node):
    """`value[key]`; a key with several parts is a `Sequence`."""

    value: "Expr"
    key: "Expr"


@dataclass(slots=True, eq=False)
class Slice(Node):
    """Bounds of a slice, only as the key of an `Index`."""

    lower: "Expr | None"
    upper: "Expr | None"
    step: "Expr | None"


@dataclass(slots=True, eq=False)
class Argument(Node):
    """One argument. `keyword` is '' for a positional one. `spread` is '*' or '**' where a whole collection is passed."""

    value: "Expr"
    keyword: str = ""
    spread: str = ""


@dataclass(slots=True, eq=False)
class Call(Node):
    callee: "Expr"
    arguments: tuple[Argument, ...]


@dataclass(slots=True, eq=False)
class Concat(Node):
    """Operands of `+` from left to right, texts and numbers alike."""

    parts: "tuple[Expr, ...]"


@dataclass(slots=True, eq=False)
class Format(Node):
    """An interpolated text (f-string, template literal): literal pieces are `Const`, the rest are values put in."""

    parts: "tuple[Expr, ...]"


@dataclass(slots=True, eq=False)
class Binary(Node):
    """Operands of one operator other than `+`, applied from the left."""

    operator: str
    operands: "tuple[Expr, ...]"


@dataclass(slots=True, eq=False)
class Unary(Node):
    """`-x`, `~x`; negation of truth is `Not`."""

    operator: str
    operand: "Expr"


@dataclass(slots=True, eq=False)
class Compare(Node):
    """`operands[0] operators[0] operands[1] …`; operators are '<', '==', 'in', 'not in', 'is', 'is not' and so on."""

    operators: tuple[str, ...]
    operands: "tuple[Expr, ...]"


@dataclass(slots=True, eq=False)
class Boolean(Node):
    """Operands of `and` or `or`."""

    operator: str
    operands: "tuple[Expr, ...]"


@dataclass(slots=True, eq=False)
class Not(Node):
    operand: "Expr"


@dataclass(slots=True, eq=False)
class Sequence(Node):
    """A list, tuple or set literal, or a destructuring target. `kind` is 'list', 'tuple' or 'set'."""

    kind: str
    items: "tuple[Expr, ...]"


@dataclass(slots=True, eq=False)
class Spread(Node):
    """`*x` inside a sequence or a target."""

    value: "Expr"


@dataclass(slots=True, eq=False)
class Mapping(Node):
    """A dictionary or object literal. A None key spreads its value into the mapping."""

    entries: "tuple[tuple[Expr | None, Expr], ...]"


@dataclass(slots=True, eq=False)
class Parameter(Node):
    """`kind` is 'positional', 'keyword' (keyword only), '*' or '**'; `decorator` the name of the one that fills it in, in
    TypeScript."""

    name: str
    kind: str = "positional"
    default: "Expr | None" = None
    annotation: "Expr | None" = None
    decorator: str = ""


@dataclass(slots=True, eq=False)
class Lambda(Node):
    parameters: "tuple[Parameter, ...]"
    body: "Expr"


@dataclass(slots=True, eq=False)
class Conditional(Node):
    """`then if test else other`."""

    test: "Expr"
    then: "Expr"
    other: "Expr"


@dataclass(slots=True, eq=False)
class Await(Node):
    value: "Expr"


@dataclass(slots=True, eq=False)
class Yield(Node):
    """`delegate` is True for `yield from`."""

    value: "Expr | None"
    delegate: bool


@dataclass(slots=True, eq=False)
class Bind(Node):
    """An assignment inside an expression (`:=`)."""

    target: "Expr"
    value: "Expr"


@dataclass(slots=True, eq=False)
class Generator(Node):
    """One `for target in iterable if …` of a comprehension."""

    target: "Expr"
    iterable: "Expr"
    conditions: "tuple[Expr, ...]"


@dataclass(slots=True, eq=False)
class Comprehension(Node):
    """`kind` is 'list', 'set', 'generator' or 'mapping'; `key` is set for mappings only."""

    kind: str
    key: "Expr | None"
    element: "Expr"
    generators: tuple[Generator, ...]


@dataclass(slots=True, eq=False)
class Unknown(Node):
    """Something the lowering does not model; its parts are kept so that values inside are still seen."""

    children: "tuple[Expr, ...]" = ()


Expr = (
    Const
    | Name
    | Attribute
    | Index
    | Slice
    | Call
    | Concat
    | Format
    | Binary
    | Unary
    | Compare
    | Boolean
    | Not
    | Sequence
    | Spread
    | Mapping
    | Lambda
    | Conditional
    | Await
    | Yield
    | Bind
    | Comprehension
    | Unknown
)
