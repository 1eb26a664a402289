"""The names that code binds: by assignment, import, definition, parameter, loop or pattern."""

from collections.abc import Iterator

from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, Unit

_BINDING = frozenset(
    {
        "as_pattern_target", "object_pattern", "array_pattern", "for_in_clause", "aliased_import", "import_specifier",
        "namespace_import", "import_clause", "dotted_name", "pattern_list", "tuple_pattern", "rest_pattern", "case_pattern",
        "global_statement", "nonlocal_statement", "type_parameter", "list_splat_pattern", "dictionary_splat_pattern",
        "assignment_pattern", "named_imports", "enum_declaration", "internal_module", "object_assignment_pattern",
        "shorthand_property_identifier_pattern",
    }
)  # fmt: skip


def bound(units: dict[str, Unit]) -> set[str]:
    """Every name that a file binds."""
    found = {full.rpartition(".")[2].partition("@")[0] for full in units if full}
    for unit in units.values():
        for row in unit.rows:
            found |= names_set(row.part)
        if unit.part is not None:
            found |= names_set(unit.part)
    return found


def names_set(part: Part) -> frozenset[str]:
    """The names bound in a part and below it, cached with the part because statements nest."""
    if part.names is None:
        part.names = _defined(part).union(*map(names_set, part.parts))
    return part.names


def _defined(part: Part) -> frozenset[str]:
    """The names that a part itself binds."""
    targets: list[Part | None] = []
    if part.kind in ("assign", "augment", "for") and (target := part.role("left", "name")) is not None:
        targets = [target]
    elif part.kind in ("parameters", "import") or part.kind in _BINDING:
        targets = [part]
    elif part.kind in ("function", "class", "lambda"):
        targets = [part.roles.get(role) for role in ("name", "parameters", "parameter")]
    elif part.kind == "handler":
        targets = [leaf for leaf in part.parts if leaf.kind == "name"]
    return frozenset(leaf.text for each in targets if each is not None for leaf in walk(each) if not leaf.parts)


def names_read(row: Row) -> Iterator[Part]:
    """Names that a statement reads, without attributes, keywords and keys."""
    pending = [row.part]
    while pending:
        current = pending.pop()
        if current.kind == "name" and not current.parts:
            yield current
            continue
        skipped: tuple[Part | None, ...] = ()
        if current.kind == "attribute":
            skipped = (current.parts[-1],)
        elif current.kind in ("keyword", "pair", "function", "class", "field", "parameters"):
            skipped = (current.role("name", "key", "property"), current if current.kind == "parameters" else None)
        if current.kind in ("import", "block") or current.kind.startswith("jsx") or current in skipped:
            continue
        pending.extend(each for each in current.parts if each not in skipped)
