"""Re-reads what an agent cites (A29, X12). The protocol decides on the result.

Invariant: only surveyed files are opened, lines are counted as in the survey, and quotations are compared after the same
redaction and normalisation on both sides. A quotation with the mark of a withheld line is compared with the text as shown. An
analyst's proof was checked when it was made; a model's is checked by its toolbox (A55).
"""

from dataclasses import replace

from counterproof.analysis.project import Project
from counterproof.analysis.secrets.outgoing_text import safe_quote, safe_text
from counterproof.analysis.text.marks import WITHHELD
from counterproof.model.contract import AgentReply
from counterproof.model.excerpt import excerpt
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.marks import without_digests
from counterproof.protocols.guard.citations import Citation
from counterproof.toolbox.withheld import shown_lines


def citations(project: Project, reply: AgentReply) -> tuple[Citation, ...]:
    """One citation for each finding of a reply, in order."""
    return tuple(_citation(project, index, finding) for index, finding in enumerate(reply.findings))


def _citation(project: Project, index: int, finding: Finding) -> Citation:
    place = finding.location
    file = project.files.get(place.path)
    if file is None:
        return Citation(index, False, False, False)
    found = Citation(index, True, 1 <= place.start <= place.end <= file.lines, False, file.test)
    if not found.lines_exist:
        return found
    text = safe_text(project, place.path)
    shown = excerpt(text.split("\n"), place.start, place.end)
    if WITHHELD in finding.evidence:
        text = "\n".join(shown_lines(project, place.path))
    quoted = _normal(safe_quote(project, place.path, finding.evidence))
    there = _normal("\n".join(text.split("\n")[place.start - 1 : place.end]))
    return replace(found, quote_found=bool(quoted) and quoted in there, proof=finding.proof, excerpt=shown)


def located(project: Project, citation: Citation, finding: Finding) -> Citation:
    """The citation of a claim with the enclosing function, according to the grammar instead of the claim."""
    from counterproof.analysis.facts.units import FUNCTION, unit_at

    place = finding.location
    unit = unit_at(project, place.path, place.start)
    if unit is None or unit.kind is not FUNCTION:
        return citation
    head = Location(place.path, unit.first, unit.last) if place.start < unit.body else None
    return replace(citation, function=unit.name, scope=head)


def _normal(text: str) -> str:
    """Make all marks equal: those of a recorded run were made with another installation's key."""
    return " ".join(without_digests(text).split())
