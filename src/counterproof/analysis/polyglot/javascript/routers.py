"""The router behind an expression in Express, Koa, Fastify, Hono and similar frameworks.

Recognised by its construction, by the parameter or field that contains it, or by the result of a project function or module.
Names count only if nothing better is known. Not handled here: registrations.
"""

from tree_sitter import Node

from counterproof.analysis.libraries import libraries
from counterproof.analysis.polyglot.chains import Chain, chain_at
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Meaning, Modules
from counterproof.analysis.polyglot.literals import entry, known_text
from counterproof.analysis.polyglot.nodes import unwrapped
from counterproof.analysis.polyglot.routers import Key, parameter_key, returned_router
from counterproof.analysis.polyglot.source import Source

MAX_DEPTH = 10
PACKAGES = {
    package: library.title
    for library in libraries("javascript")
    for package in library.names.get(("route", "router-package"), ())
}
"""Packages with supported routers, and their frameworks."""
FLUENT = frozenset(
    (
        "use", "get", "post", "put", "patch", "delete", "del", "head", "options", "all", "any", "route", "routes",
        "allowedMethods", "middleware", "prefix", "param", "register", "addHook", "set", "basePath", "callback",
        "withTypeProvider", "on",
    )
)  # fmt: skip
_LIKELY = ("app", "router", "server", "fastify", "instance", "route", "routes")


def framework_of(modules: Modules, source: Source) -> str:
    """The framework that a file imports, '' if none."""
    return next((PACKAGES[name] for each in modules.packages(source) if (name := _package(each)) in PACKAGES), "")


def _package(name: str) -> str:
    """`hono` of `hono/tiny.Hono`, `@koa/router` of `@koa/router.Router`."""
    parts = name.partition(".")[0].split("/")
    return "/".join(parts[: 2 if name.startswith("@") else 1])


class RouterFinder:
    """Finds routers; records prefixes given at creation."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.prefixes: dict[Key, str] = {}

    def key(self, source: Source, node: Node | None, depth: int = 0) -> Key | None:
        """The router that an expression refers to, or None."""
        node = unwrapped(node)
        if node is None or depth > MAX_DEPTH:
            return None
        chain = chain_at(source, node)
        if chain is not None:
            return self._from_chain(source, chain, depth)
        if node.type == "this":
            return None
        if node.type == "member_expression":
            return self._field(source, node, depth)
        if node.type not in ("identifier", "shorthand_property_identifier"):
            return None
        return self._named(source, node, depth)

    def _named(self, source: Source, node: Node, depth: int) -> Key | None:
        found = self.modules.meaning(source, node)
        name = source.text(node)
        if found is None:
            return ("name", source.path, name) if _likely(name) else None
        return self._meant(found, depth)

    def _meant(self, found: Meaning, depth: int) -> Key | None:
        if found.parameter is not None:
            return parameter_key(found.source, *found.parameter)
        if found.foreign or found.node is None or found.node.type in FUNCTIONS:
            return None
        if found.node.type in ("object", "class_declaration", "class", "program"):
            return None
        return self.key(found.source, found.node, depth + 1)

    def _field(self, source: Source, node: Node, depth: int) -> Key | None:
        owner = node.child_by_field_name("object")
        name = source.text(node.child_by_field_name("property"))
        if owner is not None and owner.type == "this":
            value = source.value_of(f"this.{name}", node.start_byte)
            held = value is not None and self.key(source, value, depth + 1) is not None
            return ("field", source.path, name) if held or _likely(name) else None
        found = self.modules.meaning(source, node)
        if found is not None and (key := self._meant(found, depth + 1)):
            return key
        holder = self.modules.meaning(source, owner)
        if holder is not None and holder.node is not None and holder.node.type in ("class_declaration", "class"):
            return ("field", holder.source.path, name)
        return None

    def _from_chain(self, source: Source, chain: Chain, depth: int) -> Key | None:
        made = self._made(source, chain)
        if made is not None:
            begun = 2 if chain.base is not None or chain.links[0].name == "require" else 1
            return made if all(link.name in FLUENT for link in chain.links[begun:]) else None
        if chain.base is not None:
            fluent = all(link.name in FLUENT for link in chain.links)
            return self.key(source, chain.base, depth + 1) if fluent else self._returned(source, chain, depth)
        if chain.links[0].name == "require" and len(chain.links) == 1:
            found = self.modules.meaning(source, chain.links[0].node)
            return self._meant(found, depth + 1) if found else None
        return self._returned(source, chain, depth)

    def _made(self, source: Source, chain: Chain) -> Key | None:
        """`express()`, `express.Router()`, `new Router({prefix})`, `Fastify({…})`, `restify.createServer()`."""
        first = chain.links[0]
        callee = first.node.child_by_field_name("function") or first.node.child_by_field_name("constructor")
        foreign = self.modules.foreign(source, callee)
        package = _package(foreign)
        if chain.base is None and first.name == "require":
            if len(chain.links) == 1 or not first.arguments or known_text(source, first.arguments[0]) not in PACKAGES:
                return None
        elif package not in PACKAGES or (chain.base is not None and first.name in FLUENT):
            return None
        key = ("made", source.path, f"{first.node.start_byte:09}")
        if first.arguments and (prefix := known_text(source, entry(source, first.arguments[0], "prefix"))):
            self.prefixes[key] = prefix
        for link in chain.links[1:]:
            if link.name in ("prefix", "basePath") and link.arguments:
                self.prefixes[key] = known_text(source, link.arguments[0]) or ""
        return key

    def _returned(self, source: Source, chain: Chain, depth: int) -> Key | None:
        """A project function that returns a router."""
        place = self.modules.called(source, chain.links[-1].node)
        return returned_router(place, self.key, depth) if place is not None else None


def _likely(name: str) -> bool:
    lowered = name.lower()
    return lowered in _LIKELY or lowered.endswith(("router", "routes"))
