"""Names that one version alone gives a value, written out: `n = a or b; f(n)` and `f(a or b)` are the same code.

Always: only a name that is set once in one version, in a statement of its own, and not at all in the other. Parts are made anew;
the given ones stay as they are.
"""

from counterproof.analysis.review.edits.bindings import names_set
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, Unit, heads

MAX_DEPTH = 40


def only_here(rows: list[Row], unit: Unit, other: Unit) -> dict[str, Part]:
    """What the names stand for that these statements set and the other version does not know."""
    found: dict[str, Part] = {}
    for row in rows:
        inner = row.part.parts[-1] if row.kind in ("expr", "declaration") and len(row.part.parts) == 1 else None
        if inner is None or inner.kind != "assign":
            continue
        target, value = inner.role("left", "name"), inner.role("right", "value")
        if target is not None and target.kind == "name" and value is not None and value.kind not in ("await", "function"):
            found[target.text] = value
    if not found:
        return {}
    elsewhere = {*_set_names(other), *_given(other)}
    times = _set_names(unit)
    return {name: value for name, value in found.items() if name not in elsewhere and times.count(name) == 1}


def _set_names(unit: Unit) -> list[str]:
    """Every name that a statement sets, as often as it does."""
    targets = (part.role("left", "name") for row in unit.rows for part in heads(row) if part.kind in ("assign", "augment", "for"))
    return [leaf.text for target in targets if target is not None for leaf in walk(target) if not leaf.parts]


def _given(unit: Unit) -> frozenset[str]:
    parameters = unit.part.role("parameters") if unit.part is not None else None
    return names_set(parameters) if parameters is not None else frozenset()


def written_out(part: Part, values: dict[str, Part], depth: int = 0) -> Part:
    """The part with the values in place of the names; the part itself where none occurs."""
    if part.kind == "name" and not part.parts and part.text in values:
        return values[part.text]
    if not values or not part.parts or depth > MAX_DEPTH:
        return part
    kept = _names_only(part)
    parts = tuple(each if each is kept else written_out(each, values, depth + 1) for each in part.parts)
    if all(one is other for one, other in zip(parts, part.parts, strict=True)):
        return part
    roles = {role: parts[part.parts.index(each)] for role, each in part.roles.items() if each in part.parts}
    text = _text(part, parts)
    return Part(part.kind, text, part.line, part.end, parts, roles, part.operator, part.optional, part.hint)


def _names_only(part: Part) -> Part | None:
    """The child that is a name and no value: an attribute, a keyword, a key, what is set."""
    if part.kind == "attribute":
        return part.parts[-1]
    named = part.role("name", "key", "left") if part.kind in ("keyword", "pair", "assign", "augment") else None
    return named if named is None or part.kind != "pair" or not named.parts else None


def _text(part: Part, parts: tuple[Part, ...]) -> str:
    made, rest = "", part.text
    for old, new in zip(part.parts, parts, strict=True):
        before, found, after = rest.partition(old.text)
        if found:
            made, rest = f"{made}{before}{new.text}", after
    return made + rest
