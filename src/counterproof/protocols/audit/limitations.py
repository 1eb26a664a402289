"""The limitations stated in a report: what was not examined, or only in part.

Invariant: each is stated once, in an order that depends only on the state. Failures that end a run early are banners and are
not handled here.
"""

import re
from collections.abc import Iterable, Iterator

from counterproof.model.counting import counted
from counterproof.model.proof import Guess
from counterproof.model.report import root_name
from counterproof.model.survey import Survey
from counterproof.protocols.audit import by_root, evidence, rounds
from counterproof.protocols.audit.by_root import RootView
from counterproof.protocols.audit.evaluation import present_languages
from counterproof.protocols.audit.ruling import SAME_CONTEXT
from counterproof.protocols.audit.state import AuditState, known

MAX_ROOTS_NAMED = 3
_MORE = re.compile(r", and \d+ more like it$")
"""The end of a limitation that stands for several; the same one without this end is not repeated."""


def stated(state: AuditState) -> tuple[str, ...]:
    """Every limitation of a run."""
    survey = known(state.survey)
    notes = (note for work in state.work if work.reply for note in work.reply.notes)
    lines = (
        *survey.limitations,
        *known(state.recon).limitations,
        *_uncounted(state),
        *(f"{row.dimension.value}: {row.limitation}." for row in state.coverage if row.limitation),
        *rounds.explanations(state.coverage),
        *folded(notes, survey),
        *idle_models(state),
        *lone_models(state),
        *presumed(state),
        *state.notes,
        *evidence.baseline_limitation(state),
        *evidence.unconfined(state),
        *(("Findings were not validated by a second agent.",) if state.resolved is None and state.merged else ()),
    )
    counted_too = {_MORE.sub("", line) for line in lines if _MORE.search(line)}
    return tuple(line for line in dict.fromkeys(lines) if line not in counted_too)


def idle_models(state: AuditState) -> Iterator[str]:
    """Models that read or searched nothing in a dimension assigned to them, by name (A52)."""
    for work in state.work:
        if not work.modelled or not work.hunting:
            continue
        done = {dimension for read in work.ledger.reads for dimension in read.dimensions}
        done |= {search.dimension for search in work.ledger.searches} | {trace.dimension for trace in work.ledger.traces}
        idle = [dimension.value for dimension in work.task.dimensions if dimension not in done]
        if idle:
            yield f"{work.task.agent_id} ({work.task.model}) read and searched no files in {', '.join(idle)}."


def lone_models(state: AuditState) -> Iterator[str]:
    """Findings that were confirmed only in what may be the finder's own context (A53)."""
    alone = [each.finding for each in (state.resolved.ruled if state.resolved else ()) if SAME_CONTEXT in each.labels]
    if alone:
        places = ", ".join(str(each.location) for each in alone[:5])
        yield f"{counted(len(alone), 'finding')} confirmed only in the finder's own context, so not validated: {places}."


def presumed(state: AuditState) -> Iterator[str]:
    """The assumptions that no line of code can settle, once for all findings (A55)."""
    assumed = {each.guess for finding in state.merged if finding.proof for each in finding.proof.presumed}
    said = [text for guess, text in _NEVER_SETTLED.items() if guess in assumed]
    if said:
        yield f"Code cannot show {' or '.join(said)}; findings are rated by the code alone."


_NEVER_SETTLED = {
    Guess.MEANT_OPEN: "whether a route is open on purpose",
    Guess.OUTER_GUARD: "a guard outside the code, such as a gateway",
}


def folded(notes: Iterable[str], survey: Survey) -> tuple[str, ...]:
    """Merge sentences that differ only in the language that they name."""
    names = [language.value for language, _ in survey.languages()]
    groups: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        named = next((name for name in names if f" {name} " in note), "")
        before, _, after = note.partition(f" {named} ") if named else (note, "", "")
        there = groups.setdefault((before, after), [])
        if named and named not in there:
            there.append(named)
    return tuple(f"{before} {', '.join(there)} {after}" if there else before for (before, after), there in groups.items())


def _few(view: RootView) -> list[str]:
    present = present_languages(view.survey, view.recon)
    return [f"{loc} lines of {language.value}" for language, loc in view.survey.languages() if language not in present]


def _uncounted(state: AuditState) -> Iterator[str]:
    """Code too small to affect a dimension's status: languages in a root, and whole roots."""
    seen = by_root.views(known(state.survey), known(state.recon), ())
    few = {each.root: parts for each in seen if (parts := _few(each))}
    if len(few) > MAX_ROOTS_NAMED:
        many = f"In {len(few)} of {len(seen)} roots a further language is under a tenth of the code"
        yield f"{many} and was not counted in the coverage."
    else:
        for root, parts in few.items():
            where = f"{root_name(root)}: " if len(seen) > 1 else ""
            each = "are each" if len(parts) > 1 else "are"
            yield f"{where}{', '.join(parts)} {each} under a tenth of the code and were not counted in the coverage."
    small = ", ".join(f"{root.name} ({root.loc} lines)" for root in state.roots if not root.decides)
    if small:
        yield f"Too small, compared with the largest root, to count towards coverage; listed separately: {small}."
