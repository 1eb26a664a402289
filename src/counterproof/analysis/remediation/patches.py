"""A finding's lines with its weakness taken out, where the remedy is the same wherever the weakness stands.

Always: only the lines of the flaw change, and one import that the new text needs; what is changed is a proposal until
`checked` has seen it hold. Remedies that need a decision (another query, another guard, another place) do not belong here.
"""

import ast
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from counterproof.model.location import Location

_TABLE = "patches.toml"


@dataclass(frozen=True, slots=True)
class Substitution:
    """One entry of the table."""

    find: re.Pattern[str]
    put: str
    needs: str
    imports: str


@dataclass(frozen=True, slots=True, order=True)
class Flaw:
    """One place of a finding. `number` is what the report calls the finding."""

    place: Location
    rule: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class Patched:
    """A text after a patch. `line` is where the flaw's first line stands now, `added` how many lines came in above it."""

    text: str
    line: int
    added: int


@cache
def _table() -> dict[str, tuple[Substitution, ...]]:
    entries = tomllib.loads(files("counterproof.analysis.remediation").joinpath(_TABLE).read_text(encoding="utf-8"))["patch"]
    found: dict[str, list[Substitution]] = {}
    for each in entries:
        made = Substitution(re.compile(each["find"]), each["put"], each.get("needs", ""), each.get("imports", ""))
        for rule in each["rules"]:
            found.setdefault(rule, []).append(made)
    return {rule: tuple(each) for rule, each in found.items()}


def rules() -> tuple[str, ...]:
    """The rules that have a patch."""
    return tuple(sorted(_table()))


def patched(text: str, flaw: Flaw, moved: int = 0) -> Patched | None:
    """The text with the first patch of the rule that fits the flaw's lines; None where none does. `moved`: how far earlier
    patches of the file pushed those lines down."""
    lines = text.split("\n")
    first, last = flaw.place.start - 1 + moved, flaw.place.end + moved
    if not 0 <= first < last <= len(lines):
        return None
    there = "\n".join(lines[first:last])
    for each in _table().get(flaw.rule, ()):
        if each.needs in text and (after := each.find.sub(each.put, there)) != there:
            lines[first:last] = after.split("\n")
            place = _import_place(lines, each.imports)
            if place is not None:
                lines.insert(place, f"import {each.imports}")
            added = int(place is not None and place <= first)
            return Patched("\n".join(lines), first + 1 + added, added)
    return None


def _import_place(lines: list[str], module: str) -> int | None:
    """Where an import goes: before the first one of the file; None where it is not needed or there already."""
    try:
        top = ast.parse("\n".join(lines)).body if module else []
    except (SyntaxError, ValueError, RecursionError):
        return None  # whoever checks the patch withdraws it
    imports = [each for each in top if isinstance(each, ast.Import | ast.ImportFrom)]
    plain = (alias for each in imports if isinstance(each, ast.Import) for alias in each.names)
    if any(alias.name == module and alias.asname is None for alias in plain):
        return None
    return next((each.lineno - 1 for each in imports if getattr(each, "module", "") != "__future__"), None)
