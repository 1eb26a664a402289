"""One parsed file of any language: its functions, classes, assignments and calls, found in one bounded pass.

Invariant: nothing recurses, so code may nest arbitrarily deep; a file that does not parse yields its readable parts and the
location of the error. Not handled here: frameworks, and names in other files.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node, QueryCursor

from counterproof.analysis.polyglot.grammars import dialect_of, parser_for, query_for
from counterproof.analysis.polyglot.nodes import MAX_NODES, line_of, unwrapped
from counterproof.analysis.syntax.parsing import Unparsable, parsed
from counterproof.model.survey import Language

MAX_TEXT = 400
MAX_DEPTH = 4_000
"""Levels of the syntax tree that are read. Deeper levels take quadratic time; real code is never that deep."""
MAX_BRACKETS = 600
"""Nested open brackets from which the tree may be deeper than that."""
_BRACKET = re.compile(rb"[(\[{}\])]")
MAX_CLIMB = 200


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """`owner` is the enclosing class, '' if none; an anonymous function has the name it is assigned to, or ''."""

    name: str
    owner: str
    node: Node
    line: int
    parameters: tuple[str, ...]

    @property
    def qualified(self) -> str:
        own = self.name or "<anonymous>"
        return f"{self.owner}.{own}" if self.owner else own

    @property
    def start(self) -> int:
        return self.node.start_byte

    @property
    def end(self) -> int:
        return self.node.end_byte


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    name: str
    node: Node
    line: int

    @property
    def body(self) -> Node | None:
        return self.node.child_by_field_name("body")


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """`name` is the left side as written, including dots. An object's key is a `member`: it names a value, not a variable."""

    name: str
    value: Node
    start: int
    member: bool = False


def _read(dialect: str, data: bytes) -> tuple[str, Node]:
    """The tree in the dialect of the file's name, or in the one that fits: `.js` files may contain types too."""
    root = parsed(parser_for(dialect), data)
    if root.has_error and dialect in ("javascript", "typescript", "tsx"):
        for other in ("tsx", "typescript"):
            fitting = parsed(parser_for(other), data) if other != dialect else root
            if not fitting.has_error:
                return other, fitting
    return dialect, root


class Source:
    """A file with its tree."""

    def __init__(self, path: str, language: Language, text: str) -> None:
        self.path = path
        self.language = language
        self.data = text.encode("utf-8", "replace").replace(b"\x00", b" ")
        self.unparsable = False
        dialect = dialect_of(path, language)
        try:
            dialect, self.root = _read(dialect, self.data)
        except Unparsable:
            self.data, self.unparsable = b"", True
            self.root = parsed(parser_for(dialect), b"")
        cursor = QueryCursor(query_for(dialect))
        cursor.set_max_start_depth(MAX_DEPTH)
        self._captured = cursor.captures(self.root)
        self._bindings: dict[str, tuple[tuple[Assignment, Function | None], ...]] = {}

    def _nodes(self, kind: str) -> list[Node]:
        return sorted(self._captured.get(kind, ()), key=lambda node: (node.start_byte, -node.end_byte))

    def text(self, node: Node | None, limit: int = MAX_TEXT) -> str:
        """The source text of a node, truncated to `limit` bytes."""
        if node is None:
            return ""
        return self.data[node.start_byte : min(node.end_byte, node.start_byte + limit)].decode("utf-8", "replace")

    @cached_property
    def calls(self) -> tuple[Node, ...]:
        return tuple(self._nodes("call"))

    @cached_property
    def structures(self) -> tuple[Node, ...]:
        return tuple(self._nodes("structure"))

    @cached_property
    def imports(self) -> tuple[Node, ...]:
        return tuple(self._nodes("import"))

    @cached_property
    def classes(self) -> tuple[Class, ...]:
        return tuple(Class(self.class_name(node), node, self.name_line(node)) for node in self._nodes("class"))

    def class_name(self, node: Node) -> str:
        return self.text(node.child_by_field_name("name"))

    def heritage(self, each: Class) -> str:
        """The text between a class's name and its body: what it extends and implements."""
        named = each.node.child_by_field_name("name") or each.node
        end = each.body.start_byte if each.body is not None else named.end_byte
        return self.data[named.end_byte : min(end, named.end_byte + 2_000)].decode("utf-8", "replace")

    def name_line(self, node: Node) -> int:
        """The line with a definition's name, below its annotations."""
        named = node.child_by_field_name("name") or node
        return line_of(named)

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        return tuple(found for node in self._nodes("assignment") for found in _assigned(self, node))

    @cached_property
    def _assigned_names(self) -> dict[int, str]:
        """The name that a value is assigned to, by the value's start."""
        return {each.value.start_byte: each.name.rpartition(".")[2] for each in self.assignments}

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        return tuple(self._function(node) for node in self._nodes("function"))

    def _function(self, node: Node) -> Function:
        name = self.text(node.child_by_field_name("name")) or self._assigned_names.get(node.start_byte, "")
        owner = self.owner_at(node.start_byte)
        receiver = node.child_by_field_name("receiver")
        if receiver is not None:
            owner = self.text(receiver).strip("() ").rpartition(" ")[2].lstrip("*").partition("[")[0]
        return Function(name, owner, node, self.name_line(node), _parameters(self, node))

    def owner_at(self, position: int) -> str:
        """The name of the class that contains a position, '' if none."""
        index = bisect_right(self._class_starts, position) - 1
        around = (each for each in self.classes[max(0, index - MAX_CLIMB + 1) : index + 1][::-1])
        return next((each.name for each in around if each.node.end_byte > position), "")

    @cached_property
    def _class_starts(self) -> list[int]:
        return [each.node.start_byte for each in self.classes]

    @cached_property
    def _starts(self) -> list[int]:
        return [each.start for each in self.functions]

    @cached_property
    def _parents(self) -> list[int]:
        """For each function the index of the enclosing one, -1 if none."""
        found: list[int] = []
        open_: list[int] = []
        for index, function in enumerate(self.functions):
            while open_ and self.functions[open_[-1]].end <= function.start:
                open_.pop()
            found.append(open_[-1] if open_ else -1)
            open_.append(index)
        return found

    def around(self, position: int) -> Iterator[Function]:
        """The functions around a position, innermost first."""
        index = bisect_right(self._starts, position) - 1
        for _ in range(MAX_CLIMB):
            if index < 0:
                return
            if self.functions[index].end > position:
                yield self.functions[index]
            index = self._parents[index]

    def function_at(self, node: Node) -> Function | None:
        """The function of this node."""
        index = bisect_right(self._starts, node.start_byte) - 1
        while index >= 0 and self._starts[index] == node.start_byte:
            if self.functions[index].end == node.end_byte:
                return self.functions[index]
            index -= 1
        return None

    @cached_property
    def by_name(self) -> dict[str, tuple[Function, ...]]:
        found: dict[str, list[Function]] = {}
        for function in self.functions:
            if function.name:
                found.setdefault(function.name, []).append(function)
        return {name: tuple(functions) for name, functions in found.items()}

    @cached_property
    def _values(self) -> dict[str, tuple[Assignment, ...]]:
        found: dict[str, list[Assignment]] = {}
        for each in self.assignments:
            if not each.member:
                found.setdefault(each.name, []).append(each)
        return {name: tuple(every) for name, every in found.items()}

    def _bound(self, name: str) -> tuple[tuple[Assignment, Function | None], ...]:
        """Assignments to a name, each with its enclosing function; cached per name."""
        if name not in self._bindings:
            every = self._values.get(name, ())[:100]
            self._bindings[name] = tuple((each, next(self.around(each.start), None)) for each in every)
        return self._bindings[name]

    def value_of(self, name: str, position: int) -> Node | None:
        """The value of a name at a position: the last assignment before it in an enclosing scope, else the first one there."""
        bound = self._bound(name)
        if not bound:
            return None
        around = {id(each) for each in self.around(position)}
        visible = [each for each, scope in bound if scope is None or id(scope) in around]
        before = [each for each in visible if each.start < position]
        return (before[-1] if before else visible[0]).value if visible else None

    @cached_property
    def problem(self) -> tuple[int, str]:
        """The line and text of the first problem; line 0 if there is none."""
        deep = self._deep_at()
        if deep:
            return deep, "nested too deeply; deeper levels are not read"
        line = self._broken_at()
        return line, "tree-sitter could not parse this; the code around it is read as far as possible" if line else ""

    def _deep_at(self) -> int:
        depth = 0
        for found in _BRACKET.finditer(self.data):
            depth += 1 if found[0] in b"([{" else -1
            if depth > MAX_BRACKETS:
                return self.data.count(b"\n", 0, found.start()) + 1
        return 0

    def _broken_at(self) -> int:
        """The line of the first syntax error, 0 if none."""
        pending = [self.root] if self.root.has_error else []
        for _ in range(MAX_NODES):
            if not pending:
                break
            node = pending.pop()
            if node.is_error or node.is_missing:
                return line_of(node)
            pending.extend(reversed([child for child in node.children if child.has_error or child.is_missing]))
        return 1 if self.root.has_error else 0


def _assigned(source: Source, node: Node) -> Iterator[Assignment]:
    fields = {"pair": ("key", "value"), "variable_declarator": ("name", "value"), "public_field_definition": ("name", "value")}
    left_field, right_field = fields.get(node.type, ("left", "right"))
    left = node.child_by_field_name(left_field) or node.child_by_field_name("name")
    right = node.child_by_field_name(right_field) or node.child_by_field_name("value")
    if left is None or right is None:
        return
    targets = left.named_children if left.type == "expression_list" else [left]
    values = right.named_children if right.type == "expression_list" else [right]
    for index, target in enumerate(targets[:8]):
        value = unwrapped(values[index] if index < len(values) else values[0]) if values else None
        if value is not None:
            yield Assignment(source.text(target).replace("->", ".").lstrip("$@"), value, node.start_byte, node.type == "pair")


def _parameters(source: Source, node: Node) -> tuple[str, ...]:
    single = node.child_by_field_name("parameter")
    if single is not None:
        return (source.text(single),)
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return ()
    found: list[str] = []
    for each in listed.named_children[:50]:
        if each.type == "parameter_declaration":
            found += [source.text(name) for name in each.children_by_field_name("name")]
            continue
        named = each.child_by_field_name("pattern") or each.child_by_field_name("name") or each
        found.append(source.text(named).lstrip("$"))
    return tuple(found)
