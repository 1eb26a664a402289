"""Class-based views that a framework fills with behaviour: which objects they hand out, and to whom.

Always holds: only views whose base is known to look one object up by an id of the route; a class that speaks of the caller
anywhere, or asks for more than a login, is left alone. Does not belong here: views with methods of their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.lookups import model_of
from counterproof.analysis.control.messages import MISSING_OWNER, OPEN_DESTRUCTION, finding
from counterproof.analysis.control.owned_tables import is_owned, owned_stores
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.endpoints.verdict import asked_words
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import Class, Expr
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint, Guard
from counterproof.model.severity import Confidence

_CHANGING = ("UpdateView", "DeleteView", "UpdateAPIView", "DestroyAPIView", "RetrieveUpdateAPIView", "RetrieveDestroyAPIView",
             "RetrieveUpdateDestroyAPIView", "ModelViewSet")  # fmt: skip
_READING = ("DetailView", "RetrieveAPIView", "ReadOnlyModelViewSet")
_ROLES = vocabulary("admin staff superuser permission permissions role group scope model object")
_PERMISSION = "permission_required"
_MORE = ("get_permissions", "has_permission", "has_object_permission", "test_func", "check_object_permissions")


@dataclass(frozen=True, slots=True)
class GenericView:
    """A class, the expression that says what it serves, the model's name, and one of its entry points."""

    outline: Outline
    node: Class
    served: Expr
    model: str
    entry: EntryPoint
    changes: bool


def generic_views(program: EnteredProgram) -> Iterator[GenericView]:
    entries = [each for each in program.entry_points if each.kind is EntryKind.HTTP]
    for path in program.codebase.paths:
        program.project.checkpoint()
        here = [each for each in entries if each.handler.path == path]
        if not here:
            continue
        outline = program.codebase.outline(path)
        for owner in outline.module.classes:
            entry = next((each for each in here if owner.line <= each.handler.start <= owner.end), None)
            found = Definition(outline, owner)
            foreign = program.codebase.ancestry(found).foreign
            names = tuple(name.rpartition(".")[2] for name in foreign)
            if entry is None or not set(names) & {*_CHANGING, *_READING}:
                continue
            served = _served(program, found)
            model = model_of(program, program.file(outline.path), served) if served is not None else ""
            if served is not None and model:
                yield GenericView(outline, owner, served, model, entry, bool(set(names) & set(_CHANGING)))


def _served(program: EnteredProgram, found: Definition) -> Expr | None:
    for each in program.codebase.ancestry(found).own:
        if isinstance(each.node, Class):
            attributes = each.outline.attributes(each.node)
            if served := attributes.get("queryset") or attributes.get("model"):
                return served
    return None


def unowned_views(quotes: Quotes, program: EnteredProgram) -> Iterator[Finding]:
    """Views behind a login that hand out any owned object by its id."""
    owned = owned_stores(program)
    for view in generic_views(program):
        if view.entry.guard is not Guard.PRESENT or not is_owned(view.model, owned) or _asks_more(program, view):
            continue
        why = f"Any {view.model} can be chosen by the id in the route; the class never speaks of the caller."
        place = at(view.outline.path, view.served.line)
        yield finding(quotes, MISSING_OWNER, place, view.entry, why, view.node.qualified, Confidence.MEDIUM)


def open_views(quotes: Quotes, program: EnteredProgram) -> Iterator[Finding]:
    """Views that change or delete objects for anyone."""
    for view in generic_views(program):
        if view.entry.guard is Guard.ABSENT and view.changes and not _asks_more(program, view):
            why = f"It changes or deletes any {view.model}, and nothing asks who is calling."
            place = at(view.outline.path, view.node.line)
            yield finding(quotes, OPEN_DESTRUCTION, place, view.entry, why, view.node.qualified, Confidence.MEDIUM)


def _asks_more(program: EnteredProgram, view: GenericView) -> bool:
    if asked_words(view.entry.guarded_by) & _ROLES - {"permission"}:
        return True
    for each in program.codebase.ancestry(Definition(view.outline, view.node)).own:
        if not isinstance(each.node, Class):
            continue
        if any(name in each.outline.methods(each.node) for name in _MORE) or _PERMISSION in each.outline.attributes(each.node):
            return True
        if caller_mentions(each.outline, *each.node.body) or words_in(*each.node.decorators) & _ROLES:
            return True
    return False
