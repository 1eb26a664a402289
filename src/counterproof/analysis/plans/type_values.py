"""The types of the variables and expressions of one block of TypeScript, as far as they are declared.

Always: a variable has a type only where every binding of its name in the block gives it the same one; scopes are not told apart.
An expression is followed through members, calls, `await` and arrays; any other is not known.
"""

from dataclasses import replace

from tree_sitter import Node

from counterproof.analysis.plans.type_meanings import Home, Meanings, Typed
from counterproof.analysis.plans.type_shapes import Function
from counterproof.analysis.plans.type_trees import PART, Source, Type, type_of

MAX_DEEP = 8
_SAME = ("parenthesized_expression", "non_null_expression")
_ONE = frozenset(["find", "findLast", "at", "pop", "shift"])
_MANY = frozenset(["filter", "slice", "sort", "reverse", "toSorted", "concat"])
_EACH = frozenset(["map", "filter", "find", "findLast", "findIndex", "some", "every", "forEach", "flatMap"])
_PARAMETERS = ("required_parameter", "optional_parameter")
_PATTERNS = frozenset(
    [
        *("array_pattern", "rest_pattern", "pair_pattern", "object_assignment_pattern", "assignment_pattern"),
        *("import_specifier", "import_clause", "namespace_import", "catch_clause", "type_parameter"),
    ]
)
"""Nodes that bind every name which stands in them."""
_BINDING = {
    "required_parameter": ("pattern",),
    "optional_parameter": ("pattern",),
    "arrow_function": ("parameter",),
    "for_in_statement": ("left",),
}
"""Nodes that bind the names in some of their fields."""
_NAMING = ("declaration", "declarator", "signature")
"""How the kinds of nodes end that bind their own names."""


class Values:
    """What is known of the values of one block."""

    def __init__(self, meanings: Meanings, source: Source, home: Home, place: str) -> None:
        self.meanings = meanings
        self.source = source
        self.home = home
        self.place = place
        self._bound: dict[str, list[Node]] = {}
        for node in source.nodes():
            self._bind(node)
        self._open: set[str] = set()
        self._types: dict[str, Typed | None] = {}

    def written(self, node: Node | None) -> Typed | None:
        """The type of an annotation."""
        found = type_of(self.source, node)
        if found is None or self._is_parameter(found) or node is None:
            return None
        around = node.parent
        name = (around.child_by_field_name("name") or around.child_by_field_name("pattern")) if around is not None else None
        called = self.source.of(name) if name is not None and name.child_count == 0 else "what it takes"
        return Typed(found, self.source, self.place, self.home, called)

    def function(self, node: Node | None) -> Function | None:
        """The function that a call names, unless the block binds the name to something else."""
        name = self.source.of(node) if node is not None and node.type == "identifier" else ""
        bound = [each for each in self._bound.get(name, []) if not _is_function(each)]
        return self.meanings.function(self.home, name) if name and not bound else None

    def of(self, node: Node | None, deep: int = 0) -> Typed | None:
        """The type of an expression; None where it is not told."""
        if node is None or deep > MAX_DEEP:
            return None
        if node.type == "identifier":
            return self._variable(self.source.of(node), deep)
        if node.type == "this":
            return self._own(node)
        if node.type in _SAME:
            return self.of(node.named_children[0] if node.named_children else None, deep + 1)
        if node.type == "await_expression":
            found = self.of(node.named_children[0] if node.named_children else None, deep + 1)
            return replace(found, type=replace(found.type, later=False)) if found else None
        if node.type == "member_expression":
            owner = self.of(node.child_by_field_name("object"), deep + 1)
            return self.meanings.member(owner, self.source.of(node.child_by_field_name("property"))) if owner else None
        if node.type == "subscript_expression":
            return _one(self.of(node.child_by_field_name("object"), deep + 1))
        if node.type == "new_expression":
            made = node.child_by_field_name("constructor")
            plain = made is not None and made.type == "identifier"
            return Typed(Type(self.source.of(made)), self.source, self.place, self.home, "") if plain else None
        return self._returned(node, deep) if node.type == "call_expression" else None

    def _returned(self, node: Node, deep: int) -> Typed | None:
        callee = node.child_by_field_name("function")
        function = self.function(callee)
        if function:
            return self.meanings.written(function.returns, function, self.home, f"{function.name}()")
        if callee is None or callee.type != "member_expression":
            return None
        method = self.source.of(callee.child_by_field_name("property"))
        found = self.of(callee.child_by_field_name("object"), deep + 1)
        if found is None or not found.type.many:
            return self.meanings.member(found, method, called=True) if found else None
        return _one(found) if method in _ONE else found if method in _MANY else None

    def _own(self, node: Node) -> Typed | None:
        """The class that `this` stands in."""
        around = node.parent
        while around is not None and not around.type.endswith("class_declaration"):
            if around.type in ("function_declaration", "function_expression", "object"):
                return None
            around = around.parent
        name = self.source.of(around.child_by_field_name("name")) if around is not None else ""
        name = self.meanings.only_class(self.home.path) if self.source.part and name == PART.decode() else name
        return Typed(Type(name), self.source, self.place, self.home, name) if name else None

    def _variable(self, name: str, deep: int) -> Typed | None:
        if name not in self._types:
            if name in self._open:
                return None
            self._open.add(name)
            found = [self._binding(each, deep) for each in self._bound.get(name, [])]
            known = [each for each in found if each]
            same = len(known) == len(found) and len({(each.type, each.place) for each in known}) == 1
            self._types[name] = known[0] if same else None
        return self._types[name]

    def _binding(self, node: Node, deep: int) -> Typed | None:
        """What one binding gives a name; the node is the name itself."""
        around = node.parent
        if around is None:
            return None
        if around.type == "variable_declarator" and around.child_by_field_name("name") == node:
            told = around.child_by_field_name("type")
            return self.written(told) if told else self.of(around.child_by_field_name("value"), deep + 1)
        if around.type in _PARAMETERS and around.child_by_field_name("pattern") == node:
            told = around.child_by_field_name("type")
            if told:
                return self.written(told)
            listed = around.parent
            function = listed.parent if listed else None
            first = listed is not None and listed.named_children[0] == around
            return self._handed(function, deep) if function is not None and first else None
        if around.type == "arrow_function":
            return self._handed(around, deep)
        if around.type == "for_in_statement":
            kind = around.child_by_field_name("operator")
            each = self.of(around.child_by_field_name("right"), deep + 1)
            return _one(each) if kind is not None and kind.type == "of" else None
        return None

    def _handed(self, function: Node, deep: int) -> Typed | None:
        """What a function is given first that is handed to a method of an array."""
        arguments = function.parent
        call = arguments.parent if arguments is not None and arguments.type == "arguments" else None
        callee = call.child_by_field_name("function") if call is not None else None
        if callee is None or callee.type != "member_expression":
            return None
        if self.source.of(callee.child_by_field_name("property")) not in _EACH:
            return None
        return _one(self.of(callee.child_by_field_name("object"), deep + 1))

    def _bind(self, around: Node) -> None:
        """Note every name that a node binds, whatever it is."""
        kind = around.type
        fields = [around.child_by_field_name(each) for each in _BINDING.get(kind, ("name",) if kind.endswith(_NAMING) else ())]
        for node in around.named_children:
            named = node.type in ("identifier", "type_identifier")
            shorthand = node.type == "shorthand_property_identifier_pattern"
            if shorthand or (named and (kind in _PATTERNS or node in fields)):
                self._bound.setdefault(self.source.of(node), []).append(node)

    def _is_parameter(self, found: Type) -> bool:
        """Whether a name is that of a type parameter."""
        return any(each.parent is not None and each.parent.type == "type_parameter" for each in self._bound.get(found.name, []))


def _one(found: Typed | None) -> Typed | None:
    return replace(found, type=replace(found.type, many=False)) if found and found.type.many else None


def _is_function(node: Node) -> bool:
    """Whether a binding is that of a function or of an import: what the name alone stands for."""
    around = node.parent
    if around is None:
        return False
    value = around.child_by_field_name("value")
    assigned = value is not None and value.type in ("arrow_function", "function_expression")
    return assigned or around.type in ("function_declaration", "import_specifier")
