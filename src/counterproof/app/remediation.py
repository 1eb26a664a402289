"""Proposes and checks patches for an audit's findings, and writes them to a patch file on request (R32).

Invariant: the target is read and never written; the only output is one patch file named by the user. A patch is offered only
if analysing the patched files no longer finds the flaw and finds nothing new.
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from counterproof.analysis.project import Project
from counterproof.analysis.remediation.patches import Flaw, Remedied, remedied
from counterproof.analysis.source.survey import survey
from counterproof.app.jobs import AUDIT, job_of, noted
from counterproof.app.stored_runs import audit_report
from counterproof.model.errors import UserError
from counterproof.model.report import Report
from counterproof.model.text import real_name
from counterproof.runtime.home import RunFolder
from counterproof.runtime.verification import refuse_broken


@dataclass(frozen=True, slots=True)
class Proposal:
    """`patch` is a unified diff of the verified patches, '' without any; numbers are the report's."""

    patch: str
    remedied: Remedied

    @property
    def settled(self) -> tuple[str, ...]:
        """Findings with all locations patched."""
        open_ones = {flaw.number for flaw, _ in self.remedied.unsettled}
        return tuple(dict.fromkeys(each.number for each in self.remedied.settled if each.number not in open_ones))


def proposed(run: RunFolder, wanted: Iterable[str]) -> Proposal:
    """Propose patches for an audit's findings: all of them, or the named ones."""
    refuse_broken(run)
    if job_of(run) is not AUDIT:
        raise UserError(f"run {run.id} is no audit", "patches are made for the findings of an audit")
    root = Path(real_name(str(noted(run).get("target", ""))))
    if not root.is_dir():
        raise UserError("the audited folder is not there any more", "audit it where it is now")
    flaws = _flaws(audit_report(run), tuple(each.upper() for each in wanted), run)
    project = Project(root, survey(root))
    done = remedied(project, [each for each in flaws if each.place.path in project.files])
    return Proposal(_unified(project, done.texts), done)


def _flaws(report: Report, wanted: tuple[str, ...], run: RunFolder) -> list[Flaw]:
    rows = [(each.number, each.finding.rule, (each.finding.location, *each.finding.also)) for each in report.findings]
    rows += [(each.number, each.rule, each.places) for each in report.posture]
    unknown = [name for name in wanted if name not in {number for number, _, _ in rows}]
    if unknown:
        raise UserError(f"run {run.id} has no finding {unknown[0][:40]}", "`counterproof show` lists them: C-01, H-01, …")
    return [Flaw(place, rule, number) for number, rule, places in rows if not wanted or number in wanted for place in places]


def _unified(project: Project, texts: Mapping[str, str]) -> str:
    """A diff in the form that `git apply` accepts."""
    parts: list[str] = []
    for path in sorted(texts):
        for line in difflib.unified_diff(_lines(project.text(path)), _lines(texts[path]), f"a/{path}", f"b/{path}"):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _lines(text: str) -> list[str]:
    """The lines with their line endings; only a newline ends a line."""
    *whole, rest = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([rest] if rest else [])]
