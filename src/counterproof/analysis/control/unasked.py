"""Routes behind any login whose address chooses whose thing it is about, while no function on the way speaks of the caller.

A standard audit tells those of which a neighbour shows that it matters (CWE-639): another route about the same things looks at
who is calling; and only statements of SQL, because other lookups are followed as data. A deep one tells the others too, as leads,
because whose a thing is may be asked by the store (A58). Always holds: a handler that has a finding of access gets no second one.
Does not belong here: entries without a guard, and Python, whose queries are read.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.control.messages import MISSING_OWNER, finding
from counterproof.analysis.control.open_entries import HIDDEN, Application, applications, has_finding
from counterproof.analysis.control.ownership import is_published
from counterproof.analysis.control.scripts import CHANGING, behind, called_name, function_of, language_of, spoken
from counterproof.analysis.endpoints.verdict import asked_words
from counterproof.analysis.flow.ownership import MORE, speaks_of_the_caller
from counterproof.analysis.inventory.permissions import noun_of, role_asked
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.project import Project, Quotes
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.recon import EntryPoint, Guard
from counterproof.model.severity import Confidence

_UNGUESSABLE = vocabulary("share token code slug key hash invite uuid guid nonce")
"""Who knows such a thing was given it."""
_STATEMENT = re.compile(r"\b(?:select|update|delete)\b[^;]*\bwhere\b", re.IGNORECASE)
_FOLLOWED = 12
_LONGEST = 400


def unasked(
    project: Project, entry_points: tuple[EntryPoint, ...], known: tuple[Finding, ...]
) -> tuple[tuple[Finding, ...], int, str]:
    """Leads, the number of entries that were looked at, and why there were none."""
    every = list(applications(project, entry_points))
    if not any(each.knows_people for each in every):
        return (), 0, "no entry asks who is calling, and nobody has an account"
    left = [one for each in every for one in each.entries if not has_finding(project, one, known)]
    found = tuple(anybodys(project, entry_points, known, neighbours=False))
    return found, len(left), "" if left else "every entry has a guard that is not understood, or a finding"


def anybodys(
    project: Project, entry_points: tuple[EntryPoint, ...], known: tuple[Finding, ...], *, neighbours: bool
) -> Iterator[Finding]:
    """All such routes, or those of which `neighbours` show that it matters."""
    quotes = Quotes(project)
    for application in applications(project, entry_points):
        for each in application.entries:
            if each.guard is not Guard.PRESENT or has_finding(project, each, known) or not _is_anybodys(project, each):
                continue
            peer = _asking(project, application, each)
            if not neighbours or (peer is not None and _runs_statement(project, each)):
                asked = f"; {peer.method} {peer.path} does" if peer else ""
                why = f"{each.method} {each.path} is told by the address whose thing it is about, and speaks of no caller{asked}."
                yield finding(quotes, MISSING_OWNER, each.handler, each, why, each.name, Confidence.MEDIUM, peer=peer)


def _asking(project: Project, application: Application, entry: EntryPoint) -> EntryPoint | None:
    """Another route about the same things whose handler looks at who is calling."""
    about = spoken(entry) & HIDDEN
    for each in application.entries:
        if each.guard is Guard.PRESENT and each.handler != entry.handler and spoken(each) & about:
            function = function_of(project, each)
            if function is not None and speaks_of_the_caller(function):
                return each
    return None


def _runs_statement(project: Project, entry: EntryPoint) -> bool:
    functions = (function for _, function in behind(project, entry, 1))
    texts = (node.value for each in functions for node in walk(*each.body) if isinstance(node, ir.Const))
    return any(isinstance(text, str) and _STATEMENT.search(text) for text in texts)


def _is_anybodys(project: Project, entry: EntryPoint) -> bool:
    """A function that is handed the whole request and was not read may ask."""
    if entry.administrators or asked_words(entry.guarded_by) & MORE or role_asked(entry) is Guard.PRESENT:
        return False
    if language_of(project, entry) is None or not set(entry.path) & set(":{[") or spoken(entry) & _UNGUESSABLE:
        return False
    if entry.method not in CHANGING and (is_published(noun_of(entry.path)) or not spoken(entry) & HIDDEN):
        return False
    functions = [function for _, function in behind(project, entry, _FOLLOWED)]
    if not functions or any(each.end - each.line > _LONGEST or speaks_of_the_caller(each) for each in functions):
        return False
    return not _hands_all_on(functions[0], {each.name for each in functions})


def _hands_all_on(handler: ir.Function, read: set[str]) -> bool:
    given = handler.parameters[0].name if handler.parameters else ""
    calls = (node for node in walk(*handler.body) if isinstance(node, ir.Call) and called_name(node) not in read)
    return any(isinstance(each.value, ir.Name) and each.value.id == given for node in calls for each in node.arguments)
