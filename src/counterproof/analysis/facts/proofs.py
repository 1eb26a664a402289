"""Checking a proof against the source: every fact and, for flows, every step from one fact to the next (A55, A59).

A step holds if the text alone shows that data can pass between the two places: they are in one function, one calls or refers to
the function of the other, one binds a name that the other reads, or the function names the page of the other. A step that cannot
be seen this way is not false, but an assumption, and is recorded as one.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from tree_sitter import Node

from counterproof.analysis.facts.node_types import FUNCTIONS
from counterproof.analysis.facts.syntax_index import MAX_SPAN, holds, index_of
from counterproof.analysis.facts.trees import enclosing_function, smallest_on, text_of, tree_of, walk
from counterproof.analysis.project import Project
from counterproof.model.fact import Fact, Operation
from counterproof.model.location import Location
from counterproof.model.proof import Assumption, Guess, Part, Proof, Shape

MAX_ON_LINE = 400
ON_THE_WAY = (Part.ENTRY, Part.STEP, Part.SINK)
_CONSTRUCTORS = ("__init__", "__call__", "__new__", "__enter__", "constructor", "initialize", "__construct")
_REFERS = (Operation.CALL, Operation.READ, Operation.DECORATE, Operation.IMPORT)


def checked(project: Project, proof: Proof) -> Proof:
    """The proof with the checker's results. Earlier results in it are discarded."""
    refuted = tuple(dict.fromkeys(link.fact for link in proof.links if not holds(project, link.fact)))
    unseen = tuple(_unseen_hops(project, proof)) if proof.shape is Shape.FLOW and not refuted else ()
    kept = tuple(each for each in proof.assumptions if each not in unseen)
    return replace(proof, checked=True, refuted=refuted, assumptions=(*kept, *unseen))


def _unseen_hops(project: Project, proof: Proof) -> Iterator[Assumption]:
    way = [link.fact for link in proof.links if link.part in ON_THE_WAY]
    for first, then in pairwise(way):
        if not connected(project, first, then):
            yield Assumption(Guess.UNRESOLVED_CALL, f"from {first.at} to {then.at}", then.at)


def connected(project: Project, first: Fact, then: Fact) -> bool:
    """Return True if the text alone shows a connection between two facts."""
    one, other = _function_at(project, first.at), _function_at(project, then.at)
    if first.at.path == then.at.path and (_within(one, other) or _within(other, one)):
        return True
    if tree_of(project, then.at.path) is None:
        return _names_page(one, then.at.path)
    return (
        _refers(project, first.at, other)
        or _refers(project, then.at, one)
        or bool(_bound(project, first.at) & _read(project, then.at))
        or any(_refers(project, first.at, each) for each in _on_one_line(project, then.at))
    )


def _function_at(project: Project, place: Location) -> Node | None:
    tree = tree_of(project, place.path)
    return enclosing_function(smallest_on(tree, place.start)) if tree else None


def _on_one_line(project: Project, place: Location) -> list[Node]:
    """Functions that are completely on one line: `run: line => exec(line)`."""
    tree = tree_of(project, place.path)
    whole = smallest_on(tree, place.start) if tree else None
    if whole is None or whole.start_point[0] != whole.end_point[0]:
        return []
    return [each for each in walk(whole, MAX_ON_LINE) if each.type in FUNCTIONS]


def _within(inner: Node | None, outer: Node | None) -> bool:
    """Return True if one contains the other; code outside every function contains everything."""
    if outer is None or inner is None:
        return outer is None and inner is None
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def _names_page(function: Node | None, path: str) -> bool:
    """Return True if a function, or its class, names a file other than code: `render(request, "page.html")`."""
    stem, _, ending = path.rpartition("/")[2].partition(".")
    written = re.compile(rf"[\"'`/]{re.escape(stem)}(?:\.{re.escape(ending)})?[\"'`]")
    current = function
    while current is not None:
        if (current is function or "class" in current.type) and written.search(text_of(current)):
            return True
        current = current.parent
    return False


def _refers(project: Project, place: Location, function: Node | None) -> bool:
    """Return True if the lines of a place call, name or import the function, by its own name or, for a constructor, its class's;
    or an enclosing function: `run = line => new Promise(done => exec(line, done))`."""
    names: frozenset[str] = frozenset()
    while function is not None:
        names |= _callable_names(function)
        function = enclosing_function(function.parent) if function.parent is not None else None
    return any(name.rpartition(".")[2] in names for operation, name in _said(project, place) if operation in _REFERS)


def _callable_names(function: Node | None) -> frozenset[str]:
    """The names by which a function is called: its own, the variable or key that holds it, its class's for a constructor."""
    if function is None:
        return frozenset()
    name = function.child_by_field_name("name")
    holder = function.parent
    if name is None and holder is not None:
        name = (
            holder.child_by_field_name("name")
            or holder.child_by_field_name("left")
            or holder.child_by_field_name("key")
            or holder.child_by_field_name("property")
        )
    found = {text_of(name).rpartition(".")[2]} if name else set[str]()
    if found & set(_CONSTRUCTORS):
        found |= _class_names(function)
    return frozenset(found - {""})


def _class_names(node: Node) -> set[str]:
    current: Node | None = node.parent
    while current is not None:
        name = current.child_by_field_name("name")
        if "class" in current.type and name is not None:
            return {text_of(name)}
        current = current.parent
    return set()


def _said(project: Project, place: Location) -> set[tuple[Operation, str]]:
    said = index_of(project, place.path) if tree_of(project, place.path) else {}
    lines = range(place.start, min(place.end, place.start + MAX_SPAN) + 1)
    return {each for line in lines for each in said.get(line, ())}


def _bound(project: Project, place: Location) -> set[str]:
    """Names of fields, settings and module variables that the place assigns, which other code may read."""
    return {name.rpartition(".")[2] for operation, name in _said(project, place) if operation is Operation.ASSIGN} - {""}


def _read(project: Project, place: Location) -> set[str]:
    return {name.rpartition(".")[2] for operation, name in _said(project, place) if operation is Operation.READ} - {""}
