"""Rails filters as they are written: what runs before an action.

Filters of ancestors and included modules come first; `skip_before_action` takes one away. Not handled here: routes, and
whether a filter turns anybody away.
"""

from dataclasses import dataclass

from counterproof.analysis.endpoints.verdict import Verdict, as_written, strongest
from counterproof.analysis.polyglot.chains import Link
from counterproof.analysis.polyglot.literals import known_text, texts
from counterproof.analysis.polyglot.ruby.classes import Classes, Found
from counterproof.analysis.polyglot.source import Source

_BEFORE = ("before_action", "before_filter", "prepend_before_action", "append_before_action")
_SKIP = ("skip_before_action", "skip_before_filter", "skip_authentication", "allow_unauthenticated_access")
_DEMANDS = (
    "load_and_authorize_resource",
    "authorize_resource",
    "http_basic_authenticate_with",
    "authenticate_with",
    "authorize_actions_for",
)
"""What a class body calls to have something run before its actions."""


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
        """What stands before one action of a controller."""
        filters = self.classes.corpus.remembered(("filters", found.name), lambda: self._collected(found))
        return strongest(each.verdict for each in filters if _applies(each.only, each.skipped, action))

    def _collected(self, found: Found) -> list[_Filter]:
        active: list[_Filter] = []
        for each in reversed(self.classes.lineage(found)):
            for chain in self.classes.calls_in(each):
                link = chain.links[0]
                if chain.base is not None:
                    continue
                if link.name in _BEFORE:
                    active += _filters(each.source, link)
                elif link.name in _SKIP:
                    active = _without(active, each.source, link)
                elif link.name in _DEMANDS:
                    active.append(
                        _Filter(link.name, as_written(each.source.path, link.line, link.name), *_limits(each.source, link))
                    )
        return active


def _filters(source: Source, link: Link) -> list[_Filter]:
    """The filters of one line, each with the condition that it runs under."""
    limits = _limits(source, link)
    names = [known_text(source, each) or source.text(each, 60) for each in link.arguments]
    names += [f"a block of {link.name}"] if link.block is not None else []
    asked = {word: link.keyword(word) for word in ("if", "unless")}
    condition = "".join(f" {word} {source.text(each, 60)}" for word, each in asked.items() if each is not None)
    return [_Filter(name, as_written(source.path, link.line, name + condition), *limits) for name in names]


def _limits(source: Source, link: Link) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(texts(source, link.keyword("only"))), frozenset(texts(source, link.keyword("except")))


def _applies(only: frozenset[str], skipped: frozenset[str], action: str) -> bool:
    return (not only or action in only) and action not in skipped


def _without(active: list[_Filter], source: Source, link: Link) -> list[_Filter]:
    """The filters that are left after some are skipped, for all actions or for those named."""
    names = {known_text(source, each) for each in link.arguments}
    if not names:  # `allow_unauthenticated_access` of Rails takes its own filter away
        names = {"require_authentication"}
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
