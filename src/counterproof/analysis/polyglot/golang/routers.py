"""The router behind an expression in gin, echo, chi, fiber, gorilla/mux, httprouter and net/http.

Recognised by its construction, by the parameter or field that contains it, or by the project function that returns it. A group is
a separate router, mounted on its parent.
"""

import posixpath

from tree_sitter import Node

from counterproof.analysis.libraries import libraries
from counterproof.analysis.polyglot.chains import Chain, chain_at
from counterproof.analysis.polyglot.golang.packages import Packages, parameter_type
from counterproof.analysis.polyglot.nodes import inside, unwrapped
from counterproof.analysis.polyglot.routers import Key
from counterproof.analysis.polyglot.source import Function, Source

MAX_DEPTH = 10
MAKERS = ("New", "Default", "NewRouter", "NewMux", "NewServeMux")
GROUPS = ("Group", "Subrouter", "With", "Route", "PathPrefix", "Host")
_TYPES = ("Router", "Engine", "RouterGroup", "Group", "Echo", "App", "ServeMux", "Mux", "IRouter", "IRoutes")
_FIELDS = ("router", "mux", "engine", "app", "echo", "gin", "fiber", "r", "e", "api", "group", "routes", "server")
DEFAULT: Key = ("default", "net/http", "")


def framework_of(path: str) -> str:
    """The framework of an import path, '' for others."""
    modules = ((each.title, module) for each in libraries("go") for module in each.names.get(("framework", "module"), ()))
    return next((title for title, module in modules if path == module or path.startswith(module + "/v")), "")


def parameter_key(source: Source, function: Function, name: str) -> Key:
    return ("parameter", source.path, f"{function.start:09}.{name}")


def group_key(source: Source, node: Node) -> Key:
    return ("group", source.path, f"{node.start_byte:09}.{node.end_byte:09}")


class RouterFinder:
    def __init__(self, packages: Packages) -> None:
        self.packages = packages

    def framework(self, source: Source) -> str:
        found = [name for path in self.packages.imports(source).values() if (name := framework_of(path))]
        return next((name for name in found if name != "net/http"), found[0] if found else "")

    def key(self, source: Source, node: Node | None, depth: int = 0) -> Key | None:
        node = unwrapped(node)
        if node is None or depth > MAX_DEPTH:
            return None
        if node.type == "unary_expression":
            return self.key(source, node.child_by_field_name("operand"), depth + 1)
        if node.type == "identifier":
            return self._named(source, node, depth)
        if node.type == "selector_expression":
            name = source.text(node.child_by_field_name("field"))
            likely = name.lower() in _FIELDS or name.lower().endswith(("router", "mux"))
            return ("field", posixpath.dirname(source.path), name) if likely else None
        chain = chain_at(source, node)
        return self.end_of(source, chain, depth) if chain is not None else None

    def _named(self, source: Source, node: Node, depth: int) -> Key | None:
        name = source.text(node)
        for function in source.around(node.start_byte):
            if name in function.parameters:
                last = parameter_type(source, function, name).rpartition(".")[2]
                return parameter_key(source, function, name) if last in _TYPES else None
        value = source.value_of(name, node.start_byte)
        if value is not None and value.id != node.id:
            return self.key(source, value, depth + 1)
        return self._of_package(source, name, depth)

    def _of_package(self, source: Source, name: str, depth: int) -> Key | None:
        """A variable that another file of the package declares."""
        found = self.packages.variables(posixpath.dirname(source.path)).get(name)
        return self.key(found[0], found[1], depth + 1) if found is not None and found[0] is not source else None

    def start_of(self, source: Source, chain: Chain, depth: int = 0) -> tuple[Key | None, int]:
        """The router at the start of a chain, and the number of links that it takes."""
        base = chain.base
        if base is not None and base.type == "identifier":
            package = self.packages.imports(source).get(source.text(base))
            if package is not None:
                return self._from_package(source, chain, package, depth)
        if base is not None:
            return self.key(source, base, depth + 1), 0
        returned = self._returned(source, chain.links[0].node, depth)
        return returned, 1

    def _from_package(self, source: Source, chain: Chain, package: str, depth: int) -> tuple[Key | None, int]:
        first = chain.links[0]
        framework = framework_of(package)
        if framework and first.name in MAKERS:
            return ("made", source.path, f"{first.node.start_byte:09}"), 1
        if framework == "net/http" and first.name in ("HandleFunc", "Handle"):
            return DEFAULT, 0
        return (None, 0) if framework else (self._returned(source, first.node, depth), 1)

    def _returned(self, source: Source, call: Node, depth: int) -> Key | None:
        place = self.packages.called(source, call)
        if place is None or depth > MAX_DEPTH:
            return None
        result = place.source.text(place.function.node.child_by_field_name("result"))
        if not any(name in result for name in (*_TYPES, "Handler")):
            return None
        for each in inside(place.function.node):
            if each.type == "return_statement" and next(place.source.around(each.start_byte), None) is place.function:
                values = [part for child in each.named_children for part in child.named_children]
                if values and (key := self.key(place.source, values[0], depth + 1)):
                    return key
        return None

    def end_of(self, source: Source, chain: Chain, depth: int = 0) -> Key | None:
        """The router that a chain returns: the last group created in it, or its start."""
        current, taken = self.start_of(source, chain, depth)
        for link in chain.links[taken:]:
            if current is None:
                return None
            if link.name in GROUPS:
                current = group_key(source, link.node)
            elif link.name not in ("Use", "StrictSlash", "Name", "Methods", "Schemes"):
                return None
        return current
