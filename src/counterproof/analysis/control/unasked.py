"""Entries where nothing shows who may call them, and no neighbour shows that somebody should be asked (A58).

A standard audit is silent there: what is open may be meant to be, and whose a thing is may be asked by the store. A deep one
tells them as leads. Always holds: the application knows people; the entry changes what is stored or speaks of what people keep to
themselves; a handler that has a finding of this kind gets no second one. Does not belong here: entries whose guard is not known.
"""

from collections.abc import Iterator

from counterproof.analysis.backward.derive import backward_of
from counterproof.analysis.control.access import OPEN_BY_NATURE, PRIVATE, SENSITIVE
from counterproof.analysis.control.messages import MISSING_LOGIN, MISSING_OWNER, finding
from counterproof.analysis.control.operations import operations_of
from counterproof.analysis.control.ownership import is_published
from counterproof.analysis.control.scripts import (
    CHANGING,
    PEOPLE,
    behind,
    called_name,
    first_change,
    language_of,
    registers,
    spoken,
)
from counterproof.analysis.endpoints.verdict import asked_words
from counterproof.analysis.flow.ownership import MORE, speaks_of_the_caller
from counterproof.analysis.inventory.permissions import noun_of, role_asked
from counterproof.analysis.outline.words import vocabulary, words_in
from counterproof.analysis.project import Project, Quotes
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.recon import EntryKind, EntryPoint, Guard
from counterproof.model.severity import Confidence
from counterproof.model.survey import FileRole

_ACCESS = frozenset({284, 285, 306, 639, 862, 863})
"""Weaknesses of access: one for each handler is enough."""
_KNOWN_PEOPLE = vocabulary("login signin signup register authenticate")
_MACHINES = vocabulary("webhook webhooks hook callback ipn verify verified signature signed hmac unsign secret apikey")
"""What asks in another way, or is called by programs."""
_UNGUESSABLE = vocabulary("share token code slug key hash invite uuid guid nonce")
"""Who knows such a thing was given it."""
_HIDDEN = SENSITIVE | PRIVATE | PEOPLE
_FOLLOWED = 12
_LONGEST = 400


def unasked(
    project: Project, entry_points: tuple[EntryPoint, ...], known: tuple[Finding, ...]
) -> tuple[tuple[Finding, ...], int, str]:
    """Leads, the number of entries that were looked at, and why there were none."""
    routes = [each for each in entry_points if each.kind is EntryKind.HTTP and _runs(project, each)]
    if not any(each.guard is Guard.PRESENT or spoken(each) & _KNOWN_PEOPLE for each in routes):
        return (), 0, "no entry asks who is calling, and nobody has an account"
    changing = {each.entry.handler for each in operations_of(backward_of(project, entry_points).program) if each.changes}
    told = [(each.location, each.cwe) for each in known]
    left = [each for each in routes if each.guard is not Guard.UNKNOWN and not _has_finding(project, each, told)]
    found = tuple(_leads(project, left, changing))
    return found, len(left), "" if left else "every entry has a guard that is not understood, or a finding"


def _runs(project: Project, entry: EntryPoint) -> bool:
    file = project.files.get(entry.handler.path)
    return file is not None and not file.test and file.role is FileRole.RUNTIME


def _has_finding(project: Project, entry: EntryPoint, told: list[tuple[Location, int]]) -> bool:
    first, last = entry.handler.start, entry.handler.start
    for function in _handler(project, entry):
        first, last = function.line, function.end
    return any(cwe in _ACCESS and at.path == entry.handler.path and first <= at.start <= last for at, cwe in told)


def _handler(project: Project, entry: EntryPoint) -> list[ir.Function]:
    here = entry.handler
    inside = [each for each in project.module(here.path).functions if each.line <= here.start <= each.end]
    return [max(inside, key=lambda each: each.line)] if inside else []


def _leads(project: Project, routes: list[EntryPoint], changing: set[Location]) -> Iterator[Finding]:
    quotes = Quotes(project)
    seen: set[Location] = set()
    for each in routes:
        if each.handler in seen:
            continue
        if each.guard is Guard.ABSENT and _is_open(project, each, changing):
            why = f"Nothing asks who is calling {each.method} {each.path}, and the application knows its callers."
            yield finding(quotes, MISSING_LOGIN, each.handler, each, why, each.name, Confidence.MEDIUM)
        elif each.guard is Guard.PRESENT and _is_anybodys(project, each):
            why = f"{each.method} {each.path} is told by the address whose thing it is about, and speaks of no caller."
            yield finding(quotes, MISSING_OWNER, each.handler, each, why, each.name, Confidence.MEDIUM)
        else:
            continue
        seen.add(each.handler)


def _is_open(project: Project, entry: EntryPoint, changing: set[Location]) -> bool:
    """Whether an entry without a guard changes something, or speaks of what is nobody else's."""
    said = spoken(entry)
    if said & (OPEN_BY_NATURE | _MACHINES) or registers(entry):
        return False
    if not (said & _HIDDEN or entry.handler in changing or (entry.method in CHANGING and first_change(project, entry))):
        return False
    return not any(words_in(*each.body) & _MACHINES for each in _handler(project, entry))


def _is_anybodys(project: Project, entry: EntryPoint) -> bool:
    """Whether the address of a script's route chooses one thing of several, behind any login, and no function on the way speaks
    of the caller. A function that is handed the whole request and was not read may."""
    if entry.administrators or asked_words(entry.guarded_by) & MORE or role_asked(entry) is Guard.PRESENT:
        return False
    if language_of(project, entry) is None or not set(entry.path) & set(":{[") or spoken(entry) & _UNGUESSABLE:
        return False
    if entry.method not in CHANGING and (is_published(noun_of(entry.path)) or not spoken(entry) & _HIDDEN):
        return False
    functions = [function for _, function in behind(project, entry, _FOLLOWED)]
    if not functions or any(each.end - each.line > _LONGEST or speaks_of_the_caller(each) for each in functions):
        return False
    return not _hands_all_on(functions[0], {each.name for each in functions})


def _hands_all_on(handler: ir.Function, read: set[str]) -> bool:
    given = handler.parameters[0].name if handler.parameters else ""
    calls = (node for node in walk(*handler.body) if isinstance(node, ir.Call) and called_name(node) not in read)
    return any(isinstance(each.value, ir.Name) and each.value.id == given for node in calls for each in node.arguments)
