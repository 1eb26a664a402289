"""Contracts between a changed file and the files that use it: names that others import, and abstract methods.

Invariant: a use counts only if an import or a base class resolves to the changed file. One claim lists every place. A file that
binds names dynamically (`__getattr__`, a star) is skipped. Wrong arguments have their own check; classes behind a TypeScript
interface are left to its compiler.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.project import Project
from counterproof.analysis.review.checks.versions import CODE, place_of
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.import_targets import stem
from counterproof.analysis.review.nearby import ground
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import EXPORTS
from counterproof.analysis.syntax.javascript import module_name as script_name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.severity import Severity
from counterproof.model.survey import FileRole

MAX_SHOWN = 8
_DYNAMIC = re.compile(r"\b__getattr__\b|\bimport \*|^export \*", re.MULTILINE)

Places = list[tuple[str, int]]


def broken_contracts(view: View) -> Iterator[Claim]:
    """One claim for each removed name that is still imported, and for each new abstract method that a subclass lacks."""
    yield from view.project.once("review contracts", lambda: tuple(_claims(view)))


def _claims(view: View) -> Iterator[Claim]:
    for path in view.files:
        file = view.project.files.get(path)
        ours = file is not None and file.language in CODE and file.role not in (FileRole.TEST, FileRole.GENERATED)
        if ours and view.before.get(path) is not None and path in view.older.files:
            before, after = view.older.module(path), view.project.module(path)
            yield from _removed(view, before, after)
            yield from _unimplemented(view, before, after)


def _removed(view: View, before: ir.Module, after: ir.Module) -> Iterator[Claim]:
    path, text = after.path, view.project.text(after.path)
    old, new = _names(before.path, before.body), _names(after.path, tuple(walk(*after.body)))
    gone = {} if _DYNAMIC.search(text) else {name: line for name, line in old.items() if name not in new}
    for name, line in sorted(gone.items()):
        declared = re.search(rf"\b(?:interface|type|enum|namespace|as)\s+{re.escape(name)}\b", text)
        found = [] if len(name) < 3 or declared else list(_importers(ground(view), path, name))
        if found:
            yield _claim(
                view,
                (path, line),
                found,
                "import of what is gone",
                f"`{name}` is gone and {found[0][0]} still imports it",
                f"The change takes `{name}` out of {path}. The import fails, or gives nothing, as soon as the importing file is "
                "loaded. Every such import",
                f"Keep `{name}`, or change every file that imports it",
            )


def _names(path: str, nodes: tuple[ir.Node, ...]) -> dict[str, int]:
    """The names that these statements give to other files, with their lines."""
    assigned = [(target, node.line) for node in nodes if isinstance(node, ir.Assign) for target in node.targets]
    if not path.endswith(".py"):
        return {each.name: line for each, line in assigned if isinstance(each, ir.Attribute) and _is_exports(each.value)}
    found = {each.id: line for each, line in assigned if isinstance(each, ir.Name)}
    found |= {each.name: each.line for each in nodes if isinstance(each, ir.Function | ir.Class)}
    return found | {alias: node.line for node in nodes if isinstance(node, ir.Import) for alias, _ in node.names}


def _is_exports(node: ir.Expr) -> bool:
    return isinstance(node, ir.Name) and node.id == EXPORTS


def _importers(project: Project, target: str, name: str) -> Iterator[tuple[str, int]]:
    codebase = codebase_of(project)
    whole = f"{script_name(target)}.{EXPORTS}.{name}"
    brought = re.compile(rf"\b(?:import|from|export)\b[^;=]{{0,2000}}?(?<!\w){re.escape(name)}(?!\w)")
    home = stem(target)
    for file in project.survey.files:
        same = file.language in CODE and file.path.endswith(".py") == target.endswith(".py") and file.path != target
        text = project.text(file.path) if same and not file.test else ""
        if name not in text or home not in text or not brought.search(text):
            continue
        project.checkpoint()
        for node in walk(*project.module(file.path).body):
            for _, dotted in node.names if isinstance(node, ir.Import) else ():
                if dotted.endswith(f".{name}") and (
                    dotted == whole or codebase.find_module(dotted[: -len(name) - 1], file.path) == target
                ):
                    yield file.path, node.line


def _unimplemented(view: View, before: ir.Module, after: ir.Module) -> Iterator[Claim]:
    """Python classes whose only base asks for a method that they lack."""
    known = {each.qualified for each in before.classes}
    for each in after.classes if after.path.endswith(".py") else ():
        asked = _abstract(after, each) - _abstract(before, each) if each.qualified in known else set[str]()
        for member in sorted(asked):
            behind = [place for place, own in _subclasses(ground(view), after.path, each) if member not in own]
            if behind:
                yield _claim(
                    view,
                    (after.path, next(one.line for one in after.functions if one.qualified == f"{each.qualified}.{member}")),
                    behind,
                    "not implemented",
                    f"A class lacks `{member}`, which `{each.name}` now asks for",
                    f"The change adds the abstract method `{member}` to `{each.name}`. Subclasses that do not define it can no "
                    "longer be instantiated",
                    f"Write `{member}` in these classes, or give it a default",
                )


def _abstract(module: ir.Module, owner: ir.Class) -> set[str]:
    methods = (each for each in module.functions if each.owner == owner.qualified)
    return {each.name for each in methods if any("abstractmethod" in repr(mark.value) for mark in each.decorators)}


def _subclasses(project: Project, path: str, base: ir.Class) -> Iterator[tuple[tuple[str, int], set[str]]]:
    """The concrete classes whose only base is this one, with their members."""
    codebase = codebase_of(project)
    for outline in (codebase.outline(each) for each in codebase.paths if base.name in project.text(each)):
        for each in outline.module.classes:
            found = codebase.meaning(outline, each.bases[0]) if len(each.bases) == 1 else None
            node = found.node if found is not None and found.path == path else None
            if isinstance(node, ir.Class) and node.qualified == base.qualified:
                own = {one.name for one in outline.module.functions if one.owner == each.qualified}
                members = own | {*outline.attributes(each)}
                if not _abstract(outline.module, each) and "__getattr__" not in members:
                    yield (outline.path, each.line), members


def _claim(view: View, place: tuple[str, int], found: Places, kind: str, title: str, why: str, fix: str) -> Claim:
    rows = list(dict.fromkeys(f"{path}:{line}" for path, line in found))
    more = f" and {len(rows) - MAX_SHOWN} more" if len(rows) > MAX_SHOWN else ""
    return Claim(
        kind=kind,
        title=title[:200],
        severity=Severity.MEDIUM,
        at=place_of(view, *place),
        why=f"{why}: {', '.join(rows[:MAX_SHOWN])}{more}.",
        chain=f"{place_of(view, *place)} -> {rows[0]}",
        fix=fix,
    )
