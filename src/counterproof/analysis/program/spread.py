"""Keywords of a call, including those in a spread mapping: `set_cookie("sid", token, **FLAGS)`.

Invariant: the mapping is literal in the project, as `{…}` or `dict(…)`. Not handled here: the meaning of a keyword.
"""

from collections.abc import Iterator

from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import keyword, text_of
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Expr, Index, Mapping, Name

MAX_ENTRIES = 200
_CHANGING = ("update", "setdefault", "pop", "popitem", "clear")


def given(codebase: Codebase, outline: Outline, site: Site[Call], name: str) -> Expr | None:
    """The value of a keyword, in the call or in a spread mapping."""
    said = keyword(site.node, name)
    if said is not None:
        return said
    return next((value for key, value in _spread(codebase, outline, site) if key == name), None)


def is_read(codebase: Codebase, outline: Outline, site: Site[Call]) -> bool:
    """Return True if every mapping that a call spreads is literal, so it hides nothing."""
    spread = [each.value for each in site.node.arguments if each.spread]
    return all(_mapping(codebase, outline, site, each) is not None for each in spread)


def _spread(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[tuple[str, Expr]]:
    for each in site.node.arguments:
        mapping = _mapping(codebase, outline, site, each.value) if each.spread == "**" else None
        if isinstance(mapping, Mapping):
            yield from ((text_of(key) or "", value) for key, value in mapping.entries[:MAX_ENTRIES])
        elif mapping is not None:
            yield from ((argument.keyword, argument.value) for argument in mapping.arguments if argument.keyword)


def _is_changed(outline: Outline, name: str) -> bool:
    """Return True if entries are added to a variable after its creation: `options["secure"] = True`, `options.update(…)`."""
    targets = [target for each in outline.of(Assign) for target in each.node.targets if isinstance(target, Index)]
    calls = [each.node.callee for method in _CHANGING for each in outline.calls_of(method)]
    owners = [each.value for each in targets] + [each.value for each in calls if isinstance(each, Attribute)]
    return any(isinstance(each, Name) and each.id == name for each in owners)


def _mapping(codebase: Codebase, outline: Outline, site: Site[Call], value: Expr) -> Mapping | Call | None:
    if isinstance(value, Name) and _is_changed(outline, value.id):
        return None
    found = codebase.meaning(outline, value, site.function)
    node = found.node if found is not None else value
    made = isinstance(node, Call) and isinstance(node.callee, Name) and node.callee.id == "dict"
    return node if isinstance(node, Mapping) or (isinstance(node, Call) and made) else None
