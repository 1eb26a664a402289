"""Splits a monorepo by root: every record, entry point and file is assigned to a manifest root by its path.

Invariant: a record belongs to one root, except records above every root (a shared setting at the top of a tree without source
of its own), which count for all roots. A search over the whole tree counts in each root with that root's hits, so an empty
search proves absence everywhere (A16). Not handled here: evaluating the records.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from counterproof.model.ledger import Ledger, Search
from counterproof.model.recon import Recon, root_of
from counterproof.model.survey import Survey
from counterproof.protocols.audit.state import Work

COUNTED_SHARE = 0.1
"""A root with at least this share of the largest root's lines affects the result; smaller ones are shown, with a limitation."""


@dataclass(frozen=True, slots=True)
class RootView:
    """One root in the form of a whole tree."""

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
    """The roots that affect the result."""
    largest = max(view.survey.loc for view in seen)
    return tuple(view for view in seen if view.survey.loc >= COUNTED_SHARE * largest)


def _view(root: str, survey: Survey, recon: Recon, work: tuple[Work, ...], nearest: Callable[[str], str]) -> RootView:
    def inside(path: str) -> bool:
        return nearest(path) == root or nearest(path) not in recon.roots

    files = tuple(file for file in survey.files if nearest(file.path) == root)
    ledgers = tuple(replace(each, ledger=_ledger_of(each.ledger, inside)) for each in work)
    return RootView(root, replace(survey, files=files), _recon_of(root, recon, inside), ledgers)


def _recon_of(root: str, recon: Recon, inside: Callable[[str], bool]) -> Recon:
    """The part of recon for one root. Triggers are not split by root: a trigger anywhere rules out N/A everywhere (A17)."""
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
    """The search restricted to this root. The record has no hit counts per file, so each file counts as one hit."""
    files = tuple(path for path in search.files if inside(path))
    if len(files) == len(search.files):
        return search
    return replace(search, hits=len(files), files=files)
