"""What middleware of PHP frameworks says about callers: Laravel names and aliases, Slim classes, controllers' own middleware.

Always holds: `guest` is no guard, `auth:optional` neither; an alias is read where the kernel of the project defines it.
"""

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.kept import kept
from counterproof.analysis.polyglot.chains import chain_at
from counterproof.analysis.polyglot.guards import by_code, by_name, is_optional
from counterproof.analysis.polyglot.literals import entries, items, known_text, texts
from counterproof.analysis.polyglot.nodes import inside, line_of
from counterproof.analysis.polyglot.php.classes import FUNCTIONS, Classes
from counterproof.analysis.polyglot.source import Source
from counterproof.model.survey import Language

_NEUTRAL = ("web", "api", "throttle", "bindings", "cors", "signed", "cache", "cache.headers", "password.confirm", "localize")
_GUARDS = (
    "auth",
    "can",
    "role",
    "permission",
    "auth.basic",
    "jwt.auth",
    "jwt.verify",
    "admin",
    "verified",
    "client",
    "scope",
    "scopes",
)


class Middleware:
    def __init__(self, classes: Classes) -> None:
        self.classes = classes

    @kept
    def aliases(self) -> dict[str, str]:
        """Names with the classes that the kernel gives them."""
        found: dict[str, str] = {}
        for source in self.classes.corpus.sources(Language.PHP):
            if not any(mark in source.data for mark in (b"outeMiddleware", b"middlewareAliases", b"->alias(")):
                continue
            for node in inside(source.root):
                for name, value in entries(source, node) if node.type == "array_creation_expression" else ():
                    written = source.text(value)
                    if written.endswith("::class"):
                        found.setdefault(name, self.classes.imported(source, written.removesuffix("::class")))
        return found

    def demanded(self, source: Source, line: int, what: str) -> Verdict:
        return present(source.path, line, what)

    def of_node(self, source: Source, node: Node | None) -> Verdict:
        """Middleware given as a name, a class, an object, a closure or a list of them."""
        if node is None:
            return OPEN
        if node.type in FUNCTIONS:
            place = self.classes.place(source, node)
            return by_code(source, node, "", place, self.classes.called) if place else OPEN
        if node.type == "array_creation_expression":
            return strongest(self.of_node(source, each) for each in items(node))
        name = known_text(source, node)
        if name is not None:
            return self._named(source, node, name)
        chain = chain_at(source, node)
        written = chain.links[0].name if chain else source.text(node).removesuffix("::class")
        return self._class(source, node, self.classes.imported(source, written), written)

    def _named(self, source: Source, node: Node, name: str) -> Verdict:
        bare, _, parameters = name.partition(":")
        if bare in _NEUTRAL or is_optional(parameters) or bare == "guest":
            return OPEN
        alias = self.aliases().get(bare)
        if alias is not None and self.classes.find(alias) is not None:
            return self._class(source, node, alias, name)
        if bare in _GUARDS:
            return present(source.path, line_of(node), name, f"middleware {name}")
        return by_name(source, node, alias or name)

    def _class(self, source: Source, node: Node, full: str, name: str) -> Verdict:
        for method in ("handle", "process", "__invoke"):
            place = self.classes.method(full, method)
            if place is not None:
                return by_code(source, node, name, place, self.classes.called)
        parents = [self.classes.parent(*each) for each in self.classes.ancestry(full)]
        if any(parent.rpartition("\\")[2] == "Authenticate" for parent in parents):
            return present(source.path, line_of(node), name, f"middleware {name}")
        return by_name(source, node, full.rpartition("\\")[2])

    def of_controller(self, owner: str, action: str) -> Verdict:
        """What a controller demands for one of its actions in its constructor, or in the list of its middleware."""
        rules = self._demands(owner)
        return strongest(verdict for verdict, only, skipped in rules if (not only or action in only) and action not in skipped)

    @kept
    def _demands(self, owner: str) -> list[tuple[Verdict, frozenset[str], frozenset[str]]]:
        return [rule for each in self.classes.ancestry(owner) for rule in self._rules(each[0])]

    def _rules(self, source: Source) -> list[tuple[Verdict, frozenset[str], frozenset[str]]]:
        found: list[tuple[Verdict, frozenset[str], frozenset[str]]] = []
        for chain in self.classes.corpus.chains(source):
            names = [link.name for link in chain.links]
            if chain.root == "this" and names[0] in ("middleware", "authorizeResource"):
                if names[0] == "authorizeResource":
                    found.append((present(source.path, chain.links[0].line, "authorizeResource"), frozenset(), frozenset()))
                    continue
                verdict = strongest(self.of_node(source, each) for each in chain.links[0].arguments[:1])
                limits = {
                    link.name: frozenset(text for each in link.arguments for text in texts(source, each))
                    for link in chain.links[1:]
                }
                found.append((verdict, limits.get("only", frozenset()), limits.get("except", frozenset())))
        own = [each for each in source.by_name.get("middleware", ()) if b"HasMiddleware" in source.data]
        if own:
            found.append((unknown(source.path, own[0].line, "the controller lists middleware"), frozenset(), frozenset()))
        return found
