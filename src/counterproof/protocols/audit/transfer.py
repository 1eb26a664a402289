"""Results passed from round to round (A46): collected in full, validated, and shown to agents in a shorter form."""

from collections import Counter
from dataclasses import replace
from typing import Any

from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.finding import Finding
from counterproof.model.severity import Severity
from counterproof.model.survey import Survey
from counterproof.model.transfer import FalsePositive, FindingSummary, GrepDone, Hotspot, RoundContext, Transfer
from counterproof.protocols.audit import coverage
from counterproof.protocols.audit.repetition import searches_of
from counterproof.protocols.audit.state import Work

MAX_FILES = 50
MAX_GREPS = 30
MIN_FINDINGS = 20
MAX_EXCLUDED = 200
"""The most locations that one agent may exclude; the rest of a longer list is ignored."""


def collect(
    rows: tuple[DimensionCoverage, ...], work: tuple[Work, ...], findings: tuple[Finding, ...], false: tuple[FalsePositive, ...]
) -> Transfer:
    """Collect the results of all rounds so far."""
    read_for: dict[Dimension, set[str]] = {}
    greps: dict[GrepDone, None] = {}
    for each in work:
        for read in each.ledger.reads:
            for dimension in read.dimensions:
                read_for.setdefault(dimension, set()).update(read.paths)
        made = searches_of(each.ledger) or tuple(GrepDone(search.query, search.language) for search in each.ledger.searches)
        greps.update(dict.fromkeys(made))
    files = tuple(sorted({path for each in work for path in each.ledger.files_read()}))
    statuses = {row.dimension: row.status for row in rows}
    return Transfer(
        files_read=files,
        covered=tuple((dimension, statuses.get(dimension, Status.NOT_APPLICABLE)) for dimension in ALL_DIMENSIONS),
        gaps=coverage.gaps(rows),
        clean=_clean(read_for, coverage.gaps(rows), findings),
        false_positives=false,
        hotspots=hotspots(findings),
        grep_done=tuple(greps),
        findings=tuple(FindingSummary(f.id, f.severity, f.cwe, f.location.path, "open") for f in findings),
        read_for=tuple((dimension, tuple(sorted(read_for[dimension]))) for dimension in ALL_DIMENSIONS if dimension in read_for),
    )


def excluded(work: tuple[Work, ...], findings: tuple[Finding, ...], survey: Survey) -> tuple[FalsePositive, ...]:
    """The hunters' exclusions that are backed: with a reason, at a line that exists, in a file that they read.

    An agent cannot exclude another agent's finding: a location with a finding is not excluded for that finding's dimension.
    """
    lines = {file.path: file.lines for file in survey.files}
    found: dict[FalsePositive, None] = {}
    for each in work:
        read = each.ledger.files_read()
        for word in each.reply.false_positives[:MAX_EXCLUDED] if each.reply else ():
            backed = word.reason.strip() and word.file in read and 1 <= word.line <= lines.get(word.file, 0)
            claimed = {f.dimension for f in findings if f.location.path == word.file and _cites(f, word.line)}
            dimensions = tuple(dimension for dimension in each.task.dimensions if dimension not in claimed)
            if backed and dimensions:
                found[replace(word, dimensions=dimensions)] = None
    return tuple(found)


def _cites(finding: Finding, line: int) -> bool:
    return finding.location.start <= line <= finding.location.end


def _clean(read_for: dict[Dimension, set[str]], gaps: tuple[Dimension, ...], findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """Files without a finding that were read only for settled dimensions; a file read for an open dimension is not cleared."""
    settled = {path for dimension, paths in read_for.items() if dimension not in gaps for path in paths}
    open_ = {path for dimension in gaps for path in read_for.get(dimension, ())}
    return tuple(sorted(settled - open_ - {finding.location.path for finding in findings}))


def hotspots(findings: tuple[Finding, ...]) -> tuple[Hotspot, ...]:
    """Files with at least two findings or a severe one."""
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        by_file.setdefault(finding.location.path, []).append(finding)
    return tuple(
        Hotspot(path, ",".join(str(each.location.start) for each in found), f"{len(found)} findings")
        for path, found in sorted(by_file.items())
        if len(found) > 1 or found[0].severity.rank >= Severity.HIGH.rank
    )


def shown(context: RoundContext) -> dict[str, Any]:
    """The data shown to an agent, in the protocol's own shape and limits."""
    handed = context.transfer
    return {
        "round_context": {
            "current_round": context.current_round,
            "previous_rounds": list(context.previous_rounds),
            "transfer_data": {
                "FILES_READ": _files(handed.files_read),
                "COVERED": {dimension.value: status.value for dimension, status in handed.covered},
                "GAPS": [dimension.value for dimension in handed.gaps],
                "CLEAN": list(handed.clean),
                "FALSE_POSITIVES": [{"file": f.file, "line": f.line, "reason": f.reason} for f in handed.false_positives],
                "HOTSPOTS": [{"file": h.file, "lines": h.lines, "reason": h.reason} for h in handed.hotspots],
                "GREP_DONE": [{"pattern": g.pattern, "scope": g.scope or "every file"} for g in handed.grep_done[-MAX_GREPS:]],
                "FINDINGS_SUMMARY": [
                    {"id": f.id, "severity": f.severity.value, "cwe": f.cwe, "file": f.file, "status": f.status}
                    for f in _findings(handed.findings)
                ],
            },
        }
    }


def _files(paths: tuple[str, ...]) -> list[str]:
    """Up to fifty paths verbatim; more as `dir:count`, with ever shorter directories until they fit."""
    if len(paths) <= MAX_FILES:
        return list(paths)
    depth = max(path.count("/") for path in paths)
    while len(counts := _by_folder(paths, depth)) > MAX_FILES:
        depth -= 1
    return [f"{folder}:{count}" for folder, count in sorted(counts.items())]


def _by_folder(paths: tuple[str, ...], depth: int) -> Counter[str]:
    """The number of paths under each directory of at most `depth` parts; with depth 0 all are under '.'."""
    return Counter("/".join(path.split("/")[:-1][:depth]) or "." for path in paths)


def _findings(findings: tuple[FindingSummary, ...]) -> list[FindingSummary]:
    """At least twenty findings, including every Critical and High; the least severe are dropped first."""
    ordered = sorted(findings, key=lambda each: (-each.severity.rank, each.id))
    grave = sum(each.severity.rank >= Severity.HIGH.rank for each in findings)
    return ordered[: max(MIN_FINDINGS, grave)]
