"""Middleware of PHP frameworks as it is written: names, classes, closures, lists of them, and controllers' own.

Invariant: nothing is judged. Not handled here: routes.
"""

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest
from counterproof.analysis.kept import kept
from counterproof.analysis.polyglot.literals import items, known_text, texts
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.php.classes import FUNCTIONS, Classes
from counterproof.analysis.polyglot.source import Source

_Rule = tuple[Verdict, frozenset[str], frozenset[str]]


class Middleware:
    def __init__(self, classes: Classes) -> None:
        self.classes = classes

    def of_node(self, source: Source, node: Node | None) -> Verdict:
        """Middleware given as a name, a class, an object, a closure or a list of them."""
        if node is None:
            return OPEN
        if node.type == "array_creation_expression":
            return strongest(self.of_node(source, each) for each in items(node))
        name = "a function" if node.type in FUNCTIONS else known_text(source, node) or source.text(node)
        return as_written(source.path, line_of(node), name.removesuffix("::class"))

    def of_controller(self, owner: str, action: str) -> Verdict:
        """What a controller names for one of its actions in its constructor, or in the list of its middleware."""
        rules = self._named(owner)
        return strongest(verdict for verdict, only, skipped in rules if (not only or action in only) and action not in skipped)

    @kept
    def _named(self, owner: str) -> list[_Rule]:
        return [rule for each in self.classes.ancestry(owner) for rule in self._rules(each[0])]

    def _rules(self, source: Source) -> list[_Rule]:
        found: list[_Rule] = []
        for chain in self.classes.corpus.chains(source):
            first = chain.links[0]
            if chain.root != "this" or first.name not in ("middleware", "authorizeResource"):
                continue
            given = [self.of_node(source, each) for each in first.arguments[:1]] if first.name == "middleware" else []
            verdict = strongest(given) if given else as_written(source.path, first.line, first.name)
            limits = {
                link.name: frozenset(text for each in link.arguments for text in texts(source, each)) for link in chain.links[1:]
            }
            found.append((verdict, limits.get("only", frozenset()), limits.get("except", frozenset())))
        own = [each for each in source.by_name.get("middleware", ()) if b"HasMiddleware" in source.data]
        if own:
            found.append((as_written(source.path, own[0].line, "middleware()"), frozenset(), frozenset()))
        return found
