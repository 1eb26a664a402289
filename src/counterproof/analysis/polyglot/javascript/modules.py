"""Name resolution across JavaScript and TypeScript files: imports, `require`, exports, object members, class members.

Invariant: lookups are bounded and end in a node of the project, an external name, or a parameter; there is no guess between two
candidates. Not handled here: routers and frameworks.
"""

from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.polyglot.chains import chain_at, is_call
from counterproof.analysis.polyglot.corpus import Corpus, Place
from counterproof.analysis.polyglot.javascript.module_syntax import Exported, exports_of, first_text, imported_names, with_parts
from counterproof.analysis.polyglot.literals import entry, literal
from counterproof.analysis.polyglot.nodes import inside, unwrapped
from counterproof.analysis.polyglot.source import Function, Source

MAX_HOPS = 12
FUNCTIONS = ("function_declaration", "function_expression", "arrow_function", "method_definition", "generator_function",
             "generator_function_declaration")  # fmt: skip
_DECLARING = ("required_parameter", "optional_parameter", "public_field_definition")
MAX_MEMBERS = 500
CLASSES = ("class_declaration", "class", "abstract_class_declaration")


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """The resolution of a name: a node of the project, a parameter of a function, or an external name."""

    source: Source
    node: Node | None = None
    parameter: tuple[Function, str] | None = None
    foreign: str = ""


class Modules:
    """The modules of one project."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def imports(self, source: Source) -> dict[str, tuple[str, str]]:
        """Local names with module and exported name; '*' is the module itself."""
        return self.corpus.remembered(("imports", source.path), lambda: with_parts(source, dict(imported_names(source))))

    def exports(self, source: Source) -> Exported:
        return self.corpus.remembered(("exports", source.path), lambda: exports_of(source))

    def packages(self, source: Source) -> tuple[str, ...]:
        """External modules that a file imports, including side-effect imports. Cached, because every route needs it."""
        return self.corpus.remembered(("packages", source.path), lambda: self._imported(source))

    def _imported(self, source: Source) -> tuple[str, ...]:
        named = [module for module, _ in self.imports(source).values()]
        bare = [text for node in source.imports if (text := literal(source, node.child_by_field_name("source")))]
        called = [
            text
            for each in source.calls
            if source.text(each.child_by_field_name("function"), 20) in ("require", "import")
            and (text := first_text(source, each)) is not None
        ]
        return tuple(dict.fromkeys(module for module in (*named, *bare, *called) if not module.startswith(".")))

    def file_of(self, module: str, origin: str) -> Source | None:
        """The file of a module name, as seen from another file."""
        path = self.corpus.project.scripts().file(origin, module)
        return self.corpus.source(path) if path is not None and path in self.corpus.known else None

    def meaning(self, source: Source, node: Node | None, hops: int = 0) -> Meaning | None:
        """The resolution of an expression."""
        node = unwrapped(node)
        if node is None or hops > MAX_HOPS:
            return None
        if node.type in ("identifier", "shorthand_property_identifier", "type_identifier"):
            return self._name(source, node, source.text(node), hops)
        if node.type == "member_expression":
            return self._member(source, node, hops)
        if is_call(node):
            return self._call(source, node, hops)
        return Meaning(source, node)

    def _name(self, source: Source, node: Node, name: str, hops: int) -> Meaning | None:
        for function in source.around(node.start_byte):
            if name in function.parameters:
                return Meaning(source, parameter=(function, name))
        if name in self.imports(source):
            module, exported = self.imports(source)[name]
            return self.exported(source, module, exported, hops + 1)
        value = source.value_of(name, node.start_byte)
        if value is not None and value.id != node.id:
            return self.meaning(source, value, hops + 1)
        return self._defined(source, name)

    def _defined(self, source: Source, name: str) -> Meaning | None:
        functions = [each for each in source.by_name.get(name, ()) if each.node.type in FUNCTIONS and not each.owner]
        if functions:
            return Meaning(source, functions[0].node)
        classes = [each for each in source.classes if each.name == name]
        return Meaning(source, classes[0].node) if classes else None

    def exported(self, origin: Source, module: str, name: str, hops: int = 0) -> Meaning | None:
        """The export of a module under a name; '*' and 'default' are interchangeable, as in interoperation."""
        target = self.file_of(module, origin.path)
        if target is None:
            return Meaning(origin, foreign=module if name in ("*", "default") else f"{module}.{name}")
        if hops > MAX_HOPS:
            return None
        found = self.exports(target)
        wanted = "default" if name == "*" else name
        if wanted in found.nodes:
            return self.meaning(target, found.nodes[wanted], hops + 1)
        if wanted in found.passed_on:
            return self.exported(target, *found.passed_on[wanted], hops + 1)
        if wanted != "default" and "default" in found.nodes:
            inner = self.meaning(target, found.nodes["default"], hops + 1)
            return self._inner(inner, wanted, hops + 1) if inner else None
        for onward in found.everything_of[:20]:
            there = self.file_of(onward, target.path)
            if there is not None and (wanted in self.exports(there).nodes or wanted in self.exports(there).passed_on):
                return self.exported(target, onward, wanted, hops + 1)
        return Meaning(target, target.root) if name in ("*", "default") else None

    def _member(self, source: Source, node: Node, hops: int) -> Meaning | None:
        owner = node.child_by_field_name("object")
        name = source.text(node.child_by_field_name("property"))
        if owner is not None and owner.type == "this":
            value = source.value_of(f"this.{name}", node.start_byte)
            if value is not None:
                return self.meaning(source, value, hops + 1)
            return self._method(source, node, name) or self._injected(source, node, name, hops)
        if owner is not None and owner.type == "identifier":
            module, exported = self.imports(source).get(source.text(owner), ("", ""))
            if module and exported in ("*", "default"):
                there = self.exported(source, module, name, hops + 1)
                if there is not None:
                    return Meaning(source, foreign=f"{module}.{name}") if there.foreign else there
        found = self.meaning(source, owner, hops + 1)
        return self._inner(found, name, hops + 1) if found else None

    def _method(self, source: Source, node: Node, name: str) -> Meaning | None:
        around = next((each.owner for each in source.around(node.start_byte) if each.owner), "")
        found = [each for each in source.by_name.get(name, ()) if each.owner == around]
        return Meaning(source, found[0].node) if found else None

    def _injected(self, source: Source, node: Node, name: str, hops: int) -> Meaning | None:
        """The declared class of a field, itself or as a constructor parameter: `private users: Users`."""
        around = next(
            (each for each in source.classes[::-1] if each.node.start_byte <= node.start_byte < each.node.end_byte), None
        )
        body = around.body if around is not None else None
        for member in body.named_children[:MAX_MEMBERS] if body is not None else ():
            built = member.child_by_field_name("parameters") if member.type == "method_definition" else None
            for each in (member, *(built.named_children if built is not None else ())):
                named = each.child_by_field_name("pattern") or each.child_by_field_name("name")
                typed = each.child_by_field_name("type")
                if each.type in _DECLARING and typed is not None and source.text(named) == name:
                    return self.meaning(source, typed.named_children[0], hops + 1) if typed.named_children else None
        return None

    def _inner(self, found: Meaning, name: str, hops: int) -> Meaning | None:
        """A member of the resolution: of an object, of a class or an instance, of a whole module."""
        if found.foreign:
            return Meaning(found.source, foreign=f"{found.foreign}.{name}")
        if found.node is None:
            return None
        if found.node.type == "object":
            value = entry(found.source, found.node, name)
            return self.meaning(found.source, value, hops + 1) if value is not None else None
        if found.node.type == "enum_declaration":
            made = (each for each in inside(found.node) if each.type == "enum_assignment")
            named = (each for each in made if found.source.text(each.child_by_field_name("name")) == name)
            value = next((each.child_by_field_name("value") for each in named), None)
            return Meaning(found.source, value) if value is not None else None
        if found.node.type in CLASSES:
            owner = found.source.class_name(found.node)
            methods = [each for each in found.source.by_name.get(name, ()) if each.owner == owner]
            return Meaning(found.source, methods[0].node) if methods else None
        if found.node.type == "program":
            nodes = self.exports(found.source).nodes
            return self.meaning(found.source, nodes[name], hops + 1) if name in nodes else None
        return None

    def _call(self, source: Source, node: Node, hops: int) -> Meaning | None:
        chain = chain_at(source, node)
        if chain is None:
            return None
        first = chain.links[0]
        if chain.base is None and first.name == "require" and first.arguments:
            module = literal(source, first.arguments[0])
            if module and len(chain.links) == 1:
                return self.exported(source, module, "*", hops + 1)
        if node.type == "new_expression":
            made = self.meaning(source, node.child_by_field_name("constructor"), hops + 1)
            if made and made.node is not None and made.node.type in CLASSES:
                return made
        return Meaning(source, node)

    def place(self, source: Source, node: Node | None) -> Place | None:
        """The function that an expression is or refers to."""
        found = self.meaning(source, node)
        if found is None or found.node is None or found.node.type not in FUNCTIONS:
            return None
        function = found.source.function_at(found.node)
        return Place(found.source, function) if function else None

    def called(self, source: Source, call: Node) -> Place | None:
        """The project function that a call runs."""
        return self.place(source, call.child_by_field_name("function"))

    def foreign(self, source: Source, node: Node | None) -> str:
        """The external name of an expression, '' if it is the project's own or unknown."""
        found = self.meaning(source, node)
        return found.foreign if found else ""

    def package_of(self, source: Source, name: str) -> str:
        """The module that a file imports a name from, '' if it does not."""
        return self.imports(source).get(name.partition(".")[0], ("", ""))[0]
