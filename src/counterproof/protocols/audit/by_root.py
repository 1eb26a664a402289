"""A monorepo seen root by root: every record, entry point and file goes to the manifest root that its path tells.

Invariant: a record belongs to one root, except those above every root (a shared setting at the top of a tree without source
of its own), which speak for all. A search over the whole tree is, in each root, a search with the hits that it has there; so an
empty one proves absence everywhere (A16). Not handled here: what the records are worth.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from counterproof.model.ledger import Ledger, Search
from counterproof.model.recon import Recon, root_of
from counterproof.model.survey import Survey
from counterproof.protocols.audit.state import Work

COUNTED_SHARE = 0.1
"""A root decides the result from this share of the largest root's lines; smaller ones are shown, and a stated limitation."""


@dataclass(frozen=True, slots=True)
class RootView:
    """One root as if it were the whole tree."""

    root: str
    survey: Survey
    recon: Recon
    work: tuple[Work, ...]


def views(survey: Survey, recon: Recon, work: tuple[Work, ...]) -> tuple[RootView, ...]:
    """One view per root with code of its own, in path order; a tree with a single root is its own view."""
    if len(recon.roots) > 1:
        nearest = _nearest(frozenset(recon.roots))
        seen = tuple(_view(root, survey, recon, work, nearest) for root in recon.roots)
        found = tuple(view for view in seen if view.survey.loc)
        if len(found) > 1:
            return found
    return (RootView(recon.roots[0] if recon.roots else ".", survey, recon, work),)


def _nearest(roots: frozenset[str]) -> Callable[[str], str]:
    @cache
    def nearest(path: str) -> str:
        return root_of(path, roots)

    return nearest


def counted(seen: tuple[RootView, ...]) -> tuple[RootView, ...]:
    """The roots that decide the result."""
    largest = max(view.survey.loc for view in seen)
    return tuple(view for view in seen if view.survey.loc >= COUNTED_SHARE * largest)


def _view(root: str, survey: Survey, recon: Recon, work: tuple[Work, ...], nearest: Callable[[str], str]) -> RootView:
    def inside(path: str) -> bool:
        return nearest(path) == root or nearest(path) not in recon.roots

    files = tuple(file for file in survey.files if nearest(file.path) == root)
    ledgers = tuple(replace(each, ledger=_ledger_of(each.ledger, inside)) for each in work)
    return RootView(root, replace(survey, files=files), _recon_of(root, recon, inside), ledgers)


def _recon_of(root: str, recon: Recon, inside: Callable[[str], bool]) -> Recon:
    """What recon says of one root. Triggers are not told apart: a sign anywhere keeps N/A away everywhere (A17)."""
    facts = next((each for each in recon.by_root if each.root == root), None)
    return replace(
        recon,
        entry_points=tuple(each for each in recon.entry_points if inside(each.handler.path)),
        permissions=tuple(each for each in recon.permissions if inside(each.handler.path)),
        dependencies=tuple(each for each in recon.dependencies if inside(each.declared.path)),
        public_functions=facts.public_functions if facts else 0,
        outbound_from_arguments=facts.outbound_from_arguments if facts else recon.outbound_from_arguments,
        resources=facts.resources if facts else (),
        roots=(root,),
        by_root=(),
    )


def _ledger_of(ledger: Ledger, inside: Callable[[str], bool]) -> Ledger:
    return replace(
        ledger,
        searches=tuple(_search_in(each, inside) for each in ledger.searches),
        traces=tuple(each for each in ledger.traces if inside(each.sink.path)),
        items=tuple(each for each in ledger.items if inside(each.location.path)),
        comparisons=tuple(each for each in ledger.comparisons if inside(each.at.path)),
        endpoints=tuple(each for each in ledger.endpoints if inside(each.path)),
    )


def _search_in(search: Search, inside: Callable[[str], bool]) -> Search:
    """The search as this root sees it. How many hits each file had is not on record, so one a file is what is sure."""
    files = tuple(path for path in search.files if inside(path))
    if len(files) == len(search.files):
        return search
    return replace(search, hits=len(files), files=files)
