"""Expressions of templates, turned into the intermediate form.

Invariant: nesting is bounded; what cannot be read becomes `Unknown` with the names in it, so that values are still seen. Not
handled here: tags.
"""

import re

from counterproof.analysis.syntax import ir
from counterproof.analysis.templates.nodes import Filter, Member

MAX_NESTING = 40
MAX_TOKENS = 600

_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)"""
    r"""|(?P<sign>==|!=|<=|>=|//|\*\*|[-+*/%~|.,:()\[\]{}<>=!?&^]))"""
)
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "in"})
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "none": None, "True": True, "False": False, "None": None}
_READING = frozenset({"items", "values", "keys"})


class Unreadable(Exception):
    """The text is no expression; caught in this package."""


def parsed(text: str, line: int, *, django: bool = False) -> ir.Expr:
    """The expression, or its names alone where it cannot be read."""
    try:
        tokens = tokens_of(text)
        parser = Parser(tokens, line, django=django)
        return parser.whole()
    except Unreadable:
        names = re.findall(r"[A-Za-z_]\w*", text)[:20]
        return ir.Unknown(line, line, tuple(ir.Name(line, line, name) for name in names))


def tokens_of(text: str) -> list[tuple[str, str]]:
    """Kinds and texts; raises `Unreadable`."""
    found: list[tuple[str, str]] = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or len(found) >= MAX_TOKENS:
            raise Unreadable
        found.append((match.lastgroup or "", match.group(match.lastgroup or 0)))
        position = match.end()
    return found


class Parser:
    """Reads tokens from left to right. In Django's language `.items` is a call and a filter's argument follows a colon."""

    def __init__(self, tokens: list[tuple[str, str]], line: int, *, django: bool = False) -> None:
        self._tokens = tokens
        self._at = 0
        self._line = line
        self._django = django
        self._depth = 0

    def whole(self) -> ir.Expr:
        value = self.expression()
        if self._at < len(self._tokens):
            raise Unreadable
        return value

    def more(self) -> bool:
        return self._at < len(self._tokens)

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _kind(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def take(self, *wanted: str) -> bool:
        if self._kind() != "string" and self._peek() in wanted and self.more():
            self._at += 1
            return True
        return False

    def _need(self, sign: str) -> None:
        if not self.take(sign):
            raise Unreadable

    def name(self) -> str:
        if self._kind() != "name":
            raise Unreadable
        self._at += 1
        return self._tokens[self._at - 1][1]

    def expression(self) -> ir.Expr:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise Unreadable
        value = self._or()
        if self.take("if"):
            test = self._or()
            other = self.expression() if self.take("else") else ir.Const(self._line, self._line, None)
            value = ir.Conditional(self._line, self._line, test, value, other)
        self._depth -= 1
        return value

    def sequence(self) -> ir.Expr:
        """Several expressions with commas between them."""
        values = [self.expression()]
        while self.take(","):
            if not self.more():
                break
            values.append(self.expression())
        return values[0] if len(values) == 1 else ir.Sequence(self._line, self._line, "tuple", tuple(values))

    def _or(self) -> ir.Expr:
        values = [self._and()]
        while self.take("or"):
            values.append(self._and())
        return values[0] if len(values) == 1 else ir.Boolean(self._line, self._line, "or", tuple(values))

    def _and(self) -> ir.Expr:
        values = [self._not()]
        while self.take("and"):
            values.append(self._not())
        return values[0] if len(values) == 1 else ir.Boolean(self._line, self._line, "and", tuple(values))

    def _not(self) -> ir.Expr:
        negated = 0
        while self.take("not"):
            negated += 1
        value = self._compared()
        return ir.Not(self._line, self._line, value) if negated % 2 else value

    def _compared(self) -> ir.Expr:
        left = self._sum()
        while True:
            if self.take("is"):
                self.take("not")
                self._test()
                left = ir.Unknown(self._line, self._line)
            elif (self._kind() == "sign" and self._peek() in _COMPARISONS) or self._peek() == "in":
                left = self._comparison(left, self._peek())
            elif self._peek() == "not" and self._kind() == "name":
                self._at += 1
                left = self._comparison(left, "not in")
            else:
                return left

    def _comparison(self, left: ir.Expr, operator: str) -> ir.Expr:
        self._at += 1
        return ir.Compare(self._line, self._line, (operator,), (left, self._sum()))

    def _test(self) -> None:
        """`is defined`, `is divisibleby(3)`."""
        self.name()
        if self.take("("):
            self._arguments(")")

    def _sum(self) -> ir.Expr:
        values = [self._product()]
        while self._kind() == "sign" and self._peek() in ("+", "~", "-"):
            self._at += 1
            values.append(self._product())
        return values[0] if len(values) == 1 else ir.Concat(self._line, self._line, tuple(values))

    def _product(self) -> ir.Expr:
        values = [self._unary()]
        operator = ""
        while self._kind() == "sign" and self._peek() in ("*", "/", "//", "%", "**"):
            operator = self._peek()
            self._at += 1
            values.append(self._unary())
        return values[0] if len(values) == 1 else ir.Binary(self._line, self._line, operator, tuple(values))

    def _unary(self) -> ir.Expr:
        if self.take("-", "+"):
            return ir.Unary(self._line, self._line, "-", self._primary())
        return self._filtered(self._primary())

    def _primary(self) -> ir.Expr:
        kind, text = self._kind(), self._peek()
        self._at += 1
        if kind == "string":
            return self._after(ir.Const(self._line, self._line, text[1:-1]))
        if kind == "number":
            return self._after(ir.Const(self._line, self._line, float(text) if "." in text else int(text[:30])))
        if kind == "name":
            if text in _CONSTANTS:
                return ir.Const(self._line, self._line, _CONSTANTS[text])
            return self._after(ir.Name(self._line, self._line, text))
        if text == "(":
            inner = ir.Sequence(self._line, self._line, "tuple", ()) if self._peek() == ")" else self.sequence()
            self._need(")")
            return self._after(inner)
        if text == "[":
            values = self._arguments("]")
            return self._after(ir.Sequence(self._line, self._line, "list", tuple(each.value for each in values)))
        if text == "{":
            return self._after(self._mapping())
        raise Unreadable

    def _mapping(self) -> ir.Expr:
        entries: list[tuple[ir.Expr | None, ir.Expr]] = []
        while not self.take("}"):
            key = self.expression()
            self._need(":")
            entries.append((key, self.expression()))
            if not self.take(",") and self._peek() != "}":
                raise Unreadable
        return ir.Mapping(self._line, self._line, tuple(entries))

    def _after(self, value: ir.Expr) -> ir.Expr:
        """Fields, elements and calls behind a value."""
        while True:
            if self._kind() == "sign" and self.take("."):
                value = self._member(value)
            elif self._kind() == "sign" and self.take("["):
                key = self._key()
                self._need("]")
                value = ir.Index(self._line, self._line, value, key)
            elif not self._django and self._kind() == "sign" and self.take("("):
                value = ir.Call(self._line, self._line, self._callee(value), self._arguments(")"))
            else:
                return value

    def _callee(self, value: ir.Node) -> ir.Expr:
        """What is called: a member is a method then."""
        if isinstance(value, Member):
            return ir.Attribute(self._line, self._line, value.value, value.name)
        return value  # pyright: ignore[reportReturnType]

    def _member(self, value: ir.Expr) -> ir.Expr:
        if self._kind() == "number":
            key = ir.Const(self._line, self._line, int(self._peek().split(".", 1)[0][:9]))
            self._at += 1
            return ir.Index(self._line, self._line, value, key)
        name = self.name()
        if self._django and name in _READING:
            return ir.Call(self._line, self._line, ir.Attribute(self._line, self._line, value, name), ())
        return Member(self._line, self._line, value, name)  # pyright: ignore[reportReturnType]

    def _key(self) -> ir.Expr:
        if self._peek() == ":" or not self.more():
            key: ir.Expr | None = None
        else:
            key = self.expression()
        if not self.take(":"):
            return key or ir.Unknown(self._line, self._line)
        upper = None if self._peek() in ("]", ":") else self.expression()
        if self.take(":") and self._peek() != "]":
            self.expression()
        return ir.Slice(self._line, self._line, key, upper, None)

    def _arguments(self, closing: str) -> tuple[ir.Argument, ...]:
        found: list[ir.Argument] = []
        while not self.take(closing):
            spread = "**" if self.take("**") else "*" if self.take("*") else ""
            keyword = ""
            following = self._tokens[self._at + 1 : self._at + 2]
            if self._kind() == "name" and following and following[0] == ("sign", "="):
                keyword = self.name()
                self._need("=")
            found.append(ir.Argument(self._line, self._line, self.expression(), keyword, spread))
            if not self.take(",") and self._peek() != closing:
                raise Unreadable
        return tuple(found)

    def _filtered(self, value: ir.Expr) -> ir.Expr:
        while self._kind() == "sign" and self.take("|"):
            name = self.name()
            while self._kind() == "sign" and self.take("."):
                name = self.name()
            arguments: tuple[ir.Expr, ...] = ()
            if self._django:
                if self.take(":"):
                    arguments = (self._primary(),)
            elif self.take("("):
                arguments = tuple(each.value for each in self._arguments(")"))
            value = Filter(self._line, self._line, value, name, arguments)  # pyright: ignore[reportAssignmentType]
        return value
