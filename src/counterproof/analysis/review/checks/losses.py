"""Shared by the checks for removed protections: the protection, import-resolved names, and newly written code."""

from dataclasses import dataclass

from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.review.definitions import define
from counterproof.analysis.review.edits.alignment import Change, UnitEdit
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.units import Row, heads
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.calls import MODULE
from counterproof.analysis.syntax.walk import walk
from counterproof.model.severity import Severity
from counterproof.model.survey import Language

MAX_SHOWN = 80
_SPACED = tuple(
    (spaced, spaced.strip()) for spaced in (" . ", " ?. ", " ()", " (", "( ", " )", " [", "[ ", " ]", "{ ", " }", " ,")
)


@dataclass(frozen=True, slots=True)
class Loss:
    """A removed protection: `line` is in the newer text, `symbol` identifies siblings that keep it."""

    kind: str
    domain: str
    title: str
    why: str
    line: int
    symbol: str
    severity: Severity = Severity.MEDIUM


class Names:
    """The resolved names of one file before the change."""

    def __init__(self, older: Project, path: str) -> None:
        file = older.files.get(path)
        self.language = Language.PYTHON if path.endswith(".py") else Language.JAVASCRIPT
        self._older = older
        self._module = older.module(path) if file is not None and file.language in (Language.PYTHON, *SCRIPTS) else None
        self._imports = {**self._module.imports, **_required(self._module)} if self._module else {}

    def resolve(self, callee: Part) -> str:
        """The dotted name of a callee, resolved through the file's imports."""
        first, _, rest = callee.text.replace(" ", "").replace("?.", ".").partition(".")
        meant = self._imports.get(first, first)
        return f"{meant}.{rest}" if rest else meant

    def define(self, callee: Part, unit: str) -> tuple[ir.Module, ir.Function] | None:
        """The project function that a callee in a unit refers to; None for others."""
        dotted = self.resolve(callee)
        first, _, rest = dotted.partition(".")
        if self._module is None:
            return None
        if first in ("self", "this", "cls"):
            dotted = f"{self._module.name}.{unit.rpartition('.')[0]}.{rest}"
        elif not rest:
            dotted = f"{self._module.name}.{dotted}"
        found = define(self._older, dotted, self._module.path)
        return (self._older.module(found[0]), found[1]) if found else None

    def text_of(self, module: ir.Module, function: ir.Function) -> str:
        """The source text of a project function."""
        return "\n".join(self._older.text(module.path).split("\n")[function.line - 1 : function.end])


def _required(module: ir.Module) -> dict[str, str]:
    """Names destructured from `require("./file")` in JavaScript."""
    found: dict[str, str] = {}
    for node in walk(*module.body):
        value = node.value if isinstance(node, ir.Assign) else None
        if isinstance(node, ir.Assign) and isinstance(value, ir.Attribute) and isinstance(value.value, ir.Name):
            home = module.imports.get(value.value.id, "") if value.value.id.startswith(MODULE) else ""
            found |= {each.id: f"{home}.{value.name}" for each in node.targets if home and isinstance(each, ir.Name)}
    return found


def callee_of(part: Part) -> Part | None:
    """The callee of a call; None for anything else."""
    return part.role("function", "constructor") if part.kind == "call" else None


def inside_of(edit: UnitEdit, row: Row, slot: str = "") -> list[Row]:
    """Old statements inside another one."""
    return [each for each in edit.old.rows if any(outer is row and slot in ("", where) for outer, where in each.within)]


def line_of(edit: UnitEdit, row: Row) -> int:
    """The line in the new version where an old statement was: of the next kept statement, else of the previous one."""
    index = edit.old.rows.index(row)
    after = (edit.same[each] for each in edit.old.rows[index:] if each in edit.same)
    before = (edit.same[each] for each in reversed(edit.old.rows[:index]) if each in edit.same)
    found = next(after, None) or next(before, None)
    return found.line if found is not None else (edit.new.part.line if edit.new.part is not None else 1)


def written_texts(change: Change) -> frozenset[str]:
    """Texts of every part that the change newly writes."""
    found: set[str] = set()
    for file in change:
        rows = [row for edit in file.edits for row in (*edit.gained, *(new for _, new in edit.reworded))]
        rows += [row for unit in file.added for row in unit.rows]
        found |= {part.text for row in rows for part in heads(row)} | {row.text for row in rows}
    return frozenset(found)


def shown(text: str) -> str:
    """Code for use in a sentence, truncated if long."""
    for spaced, tight in _SPACED:
        text = text.replace(spaced, tight)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
