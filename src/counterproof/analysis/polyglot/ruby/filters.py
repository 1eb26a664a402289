"""Rails filters: what runs before an action, and whether it turns callers away.

Filters of ancestors and included modules come first; `skip_before_action` takes one away; one that runs only under a condition
leaves the answer open. Does not belong here: routes.
"""

from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.polyglot.chains import Link
from counterproof.analysis.polyglot.corpus import Place
from counterproof.analysis.polyglot.guards import by_name, handler_verdict, is_optional, promises, refusal, refusal_in
from counterproof.analysis.polyglot.literals import known_text, texts
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.ruby.classes import Classes, Found
from counterproof.analysis.polyglot.source import Source
from counterproof.model.location import at
from counterproof.model.recon import Guard

_BEFORE = ("before_action", "before_filter", "prepend_before_action", "append_before_action")
_SKIP = ("skip_before_action", "skip_before_filter", "skip_authentication")
_DEMANDS = (
    "load_and_authorize_resource",
    "authorize_resource",
    "http_basic_authenticate_with",
    "authenticate_with",
    "authorize_actions_for",
)
_HARMLESS = ("set", "find", "load", "configure", "prepare", "assign", "init", "store", "track", "log", "underscore", "create")


@dataclass(frozen=True, slots=True, eq=False)
class _Filter:
    name: str
    verdict: Verdict
    only: frozenset[str]
    skipped: frozenset[str]


class Filters:
    def __init__(self, classes: Classes) -> None:
        self.classes = classes

    def before(self, found: Found, action: str) -> Verdict:
        """What stands before one action of a controller, the action itself included."""
        filters = self.classes.corpus.remembered(("filters", found.name), lambda: self._collected(found))
        said = [each.verdict for each in filters if _applies(each.only, each.skipped, action)]
        place = self.classes.method(found, action)
        return strongest((*said, *([handler_verdict(place)] if place else [])))

    def _collected(self, found: Found) -> list[_Filter]:
        active: list[_Filter] = []
        for each in reversed(self.classes.lineage(found)):
            for chain in self.classes.calls_in(each):
                link = chain.links[0]
                if chain.base is not None:
                    continue
                if link.name in _BEFORE:
                    active += self._filters(found, each.source, link)
                elif link.name in _SKIP or link.name == "allow_unauthenticated_access":
                    active = _without(active, each.source, link)
                elif link.name in _DEMANDS:
                    only, skipped = _limits(each.source, link)
                    active.append(_Filter(link.name, present(each.source.path, link.line, link.name), only, skipped))
        return active

    def _filters(self, found: Found, source: Source, link: Link) -> list[_Filter]:
        only, skipped = _limits(source, link)
        conditional = link.keyword("if") is not None or link.keyword("unless") is not None
        listed = [(known_text(source, each) or "", self._named(found, source, each)) for each in link.arguments]
        if link.block is not None:
            guard = refusal_in(source, link.block.child_by_field_name("body") or link.block)
            said = present(source.path, link.line, "", "a block before the action") if guard is Guard.PRESENT else OPEN
            listed.append(("", said))
        if conditional:
            listed = [
                (name, unknown(source.path, link.line, f"{name} runs only under a condition") if said is not OPEN else said)
                for name, said in listed
            ]
        return [_Filter(name, said, only, skipped) for name, said in listed]

    def _named(self, found: Found, source: Source, node: Node) -> Verdict:
        name = known_text(source, node) or source.text(node, 60)
        place = self.classes.method(found, name)
        line = line_of(node)
        if place is None:
            harmless = name.split("_")[0] in _HARMLESS or name.startswith(("verify_authenticity", "protect_from"))
            return OPEN if harmless and not promises(name) else by_name(source, node, name)
        guard = self._read(found, place)
        defined = at(place.source.path, place.function.line)
        if guard is Guard.PRESENT:
            return present(source.path, line, name, f"{name} refuses callers ({defined})", defined=defined)
        if guard is Guard.UNKNOWN:
            return unknown(source.path, line, f"{name} refuses some callers only ({defined})", name, defined)
        if promises(name) and not is_optional(name):
            return unknown(source.path, line, f"{name} promises a check that was not found in it", name, defined)
        return OPEN

    def _read(self, found: Found, place: Place) -> Guard:
        """A filter is read together with the methods of the controller that it calls by name."""
        guard = refusal(place, around=True)
        if guard is not Guard.ABSENT:
            return guard
        body = place.source.text(place.function.node, 4_000)
        for each in sorted(
            {word.strip("(),:!?") for word in body.split()[:200]}
            & {
                "require_login",
                "authenticate",
                "request_authentication",
            }
        ):
            inner = self.classes.method(found, each)
            if inner is not None and inner.function is not place.function:
                return refusal(inner, around=True)
        return guard


def _limits(source: Source, link: Link) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(texts(source, link.keyword("only"))), frozenset(texts(source, link.keyword("except")))


def _applies(only: frozenset[str], skipped: frozenset[str], action: str) -> bool:
    return (not only or action in only) and action not in skipped


def _without(active: list[_Filter], source: Source, link: Link) -> list[_Filter]:
    """The filters that are left after some are skipped, for all actions or for those named."""
    names = {known_text(source, each) for each in link.arguments}
    if link.name in ("allow_unauthenticated_access", "skip_authentication"):
        names = {each.name for each in active if promises(each.name)}
    only, skipped = _limits(source, link)
    left: list[_Filter] = []
    for each in active:
        if each.name not in names:
            left.append(each)
        elif only:
            left.append(_Filter(each.name, each.verdict, each.only, each.skipped | only))
        elif skipped:
            left.append(_Filter(each.name, each.verdict, skipped, each.skipped))
    return left
