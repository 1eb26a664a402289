"""Whether a browser shows an answer as a page to somebody whom another one sent there.

Markup in an answer does harm only then. No link and no form makes a request by PUT, PATCH or DELETE, or one that carries a token
in a header: only a script of the program's own does, and it shows nothing by itself. Always holds: a doubt counts as shown; a
program that speaks of cookies or sessions anywhere may let browsers in by them. Does not belong here: what was stored earlier.
"""

import re

from counterproof.analysis.flow.entries import EntryFinder
from counterproof.analysis.flow.outcome import Outcome
from counterproof.analysis.flow.values import Taint
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.model.recon import EntryPoint, Guard
from counterproof.model.survey import FileRole

_BY_SCRIPT = frozenset({"PUT", "PATCH", "DELETE"})
_BROUGHT = re.compile(r"cookie|session(?!Storage|[\"']?\s{0,3}:\s{0,3}false\b)|www-authenticate|basic-?auth", re.IGNORECASE)
"""What a browser sends along by itself, as programs speak of it."""


def is_never_shown(project: Project, outcome: Outcome, taint: Taint, entries: EntryFinder) -> bool:
    """Markup in the answer to a request that only a script can make."""
    if outcome.hit.rule.info.kind != "html" or not any(taint is each for each in outcome.harmful):
        return False
    entry = entries.of(taint)
    if entry is None:
        return False
    return (bool(entry.method) and {*entry.method.split(",")} <= _BY_SCRIPT) or _asks_for_header(project, entry)


def _asks_for_header(project: Project, entry: EntryPoint) -> bool:
    """Whether the guard of an entry lets nobody in by what a browser sends along: the program knows no such thing."""
    file = project.files.get(entry.handler.path)
    if entry.guard is not Guard.PRESENT or file is None or file.language not in SCRIPTS:
        return False
    return not project.once("what browsers send along", lambda: _knows_browsers(project))


def _knows_browsers(project: Project) -> bool:
    runs = (each.path for each in project.survey.files if each.role is FileRole.RUNTIME and each.language in SCRIPTS)
    return any(_BROUGHT.search(project.text(path)) for path in runs if not path.endswith(".d.ts"))
