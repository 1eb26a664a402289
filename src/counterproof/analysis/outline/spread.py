"""Keywords of a call, those included that stand in a mapping which is handed over whole: `set_cookie("sid", token, **FLAGS)`.

Always holds: the mapping is written out in the project, as a literal or as `dict(…)`. Does not belong here: what a keyword means.
"""

from collections.abc import Iterator

from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.traversal import keyword, text_of
from counterproof.analysis.syntax.ir import Call, Expr, Mapping, Name

MAX_ENTRIES = 200


def given(codebase: Codebase, outline: Outline, site: Site[Call], name: str) -> Expr | None:
    """The value of a keyword, said in the call or in a mapping that it spreads."""
    said = keyword(site.node, name)
    if said is not None:
        return said
    return next((value for key, value in _spread(codebase, outline, site) if key == name), None)


def is_read(codebase: Codebase, outline: Outline, site: Site[Call]) -> bool:
    """Whether every mapping that a call spreads is written out, so that nothing hides in it."""
    spread = [each.value for each in site.node.arguments if each.spread]
    return all(_mapping(codebase, outline, site, each) is not None for each in spread)


def _spread(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[tuple[str, Expr]]:
    for each in site.node.arguments:
        mapping = _mapping(codebase, outline, site, each.value) if each.spread == "**" else None
        if isinstance(mapping, Mapping):
            yield from ((text_of(key) or "", value) for key, value in mapping.entries[:MAX_ENTRIES])
        elif mapping is not None:
            yield from ((argument.keyword, argument.value) for argument in mapping.arguments if argument.keyword)


def _mapping(codebase: Codebase, outline: Outline, site: Site[Call], value: Expr) -> Mapping | Call | None:
    found = codebase.meaning(outline, value, site.function)
    node = found.node if found is not None else value
    made = isinstance(node, Call) and isinstance(node.callee, Name) and node.callee.id == "dict"
    return node if isinstance(node, Mapping) or (isinstance(node, Call) and made) else None
