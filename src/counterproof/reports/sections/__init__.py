"""The sections behind the findings, shared by all formats that show them (A50).

A section is data: its content is decided here, its layout in the format. Sections that do not apply are left out.
"""

from counterproof.model.report import Report
from counterproof.reports.sections import chains, claims, conduct, dive, evidence, history, posture, recon, roots
from counterproof.reports.sections.blocks import Section


def _present(*sections: Section | None) -> tuple[Section, ...]:
    return tuple(section for section in sections if section)


def combinations(report: Report) -> tuple[Section, ...]:
    """Posture, combinations of findings, and their history."""
    hardening, together = posture.posture(report), (*chains.chains(report), *chains.paths(report))
    return (*hardening, *together, *history.accepted(report), *history.fixed(report))


def by_root(report: Report) -> tuple[Section, ...]:
    """The coverage of each root of a monorepo."""
    return _present(roots.roots(report))


def caveats(report: Report) -> tuple[Section, ...]:
    """Rejected findings and limitations."""
    return (*claims.rejected(report), *claims.refused(report), claims.limitations(report), claims.left_out(report))


def record(report: Report) -> tuple[Section, ...]:
    """The evidence for the result, and the record of the run."""
    deep = _present(evidence.control(report), dive.dive(report), evidence.baseline(report), evidence.validation(report))
    run = (conduct.agents(report), conduct.ledger(report), conduct.sources(report), *recon.entry_points(report))
    return (*_present(evidence.gates(report)), *evidence.rounds(report), *deep, *run)
