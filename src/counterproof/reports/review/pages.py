"""The report as Markdown: findings with their evidence and votes, what was dismissed and why, scope, guardrails, budget."""

from collections.abc import Iterator

from counterproof.model.review.conversion import said
from counterproof.model.review.finding import ReviewFinding, Shown, Trust, shown
from counterproof.model.review.position import Resolution, Resolved
from counterproof.model.review.report import ReviewReport
from counterproof.reports.inert import cell, code, fenced, prose, remark
from counterproof.reports.markdown.table import bullets, table
from counterproof.reports.review.reading import DISPUTED, author_of, place_of, read_by, said_in, size_of, unread, verdict_of


def as_markdown(report: ReviewReport) -> str:
    """The whole page. Sections with nothing to say are left out."""
    return "\n\n".join(_sections(report)) + "\n"


def _sections(report: ReviewReport) -> Iterator[str]:
    yield "# Review"
    yield _opening(report)
    yield from _findings(report)
    yield from _dismissed(report)
    yield from _comments(report)
    yield from _delta(report)
    yield from _scope(report)
    yield from _conduct(report)
    yield from _budget(report)


def _opening(report: ReviewReport) -> str:
    kept = [each for each in report.resolved if each.kept]
    counts = ", ".join(f"{sum(shown(each.severity) is kind for each in kept)} {kind.value}" for kind in Shown)
    team = ", ".join(each.code for each in report.profile.specialists)
    rows = [("Findings", counts if kept else "none"), ("Profile", f"{cell(report.profile.name)} ({team}), {report.preset}")]
    rows.append(("Agreement", report.agreement.value))
    rows += [("Verdict", f"{verdict_of(report, verdict)}: {cell(path)}") for path, verdict in report.verdicts]
    lines = [table(("", ""), rows)]
    lines += [
        f"> {each}"
        for each in (read_by(report), report.disclaimer, report.truncated and f"Truncated: {prose(report.truncated)}")
        if each
    ]
    return "\n\n".join(lines)


def _findings(report: ReviewReport) -> Iterator[str]:
    kept = [each for each in report.resolved if each.kept]
    if kept:
        yield "## Findings"
        yield _votes_at_a_glance(report)
    for each in kept:
        yield _finding(each)
    if report.together:
        yield "On the same lines: " + "; ".join(", ".join(group) for group in report.together)


def _votes_at_a_glance(report: ReviewReport) -> str:
    """A row for each finding, a column for each specialist."""
    codes = [each.code for each in report.profile.specialists]
    rows: list[tuple[str, ...]] = []
    for each in report.resolved:
        stances = {one.specialist: one.stance.value for one in each.positions} | {each.finding.specialist: "found it"}
        what = (each.finding.id, shown(each.severity).value, cell(each.finding.title))
        rows.append((*what, *(stances.get(code, "·") for code in codes), each.label))
    return table(("Finding", "Severity", "What", *codes, "Outcome"), rows)


def _finding(each: Resolved) -> str:
    finding = each.finding
    differ = " (the votes differ on the severity)" if each.severities_differ else ""
    rows = [
        ("Place", code(str(finding.location))),
        ("Vote", f"{each.label}{differ}"),
        ("Domain", cell(finding.domain)),
        ("Confidence", finding.confidence.value),
    ]
    if finding.trust is not Trust.NONE:
        rows.append(("Source trust", finding.trust.value))
    if len(finding.sources) > 1:
        rows.append(("Seen by", ", ".join(finding.sources)))
    if finding.impact_chain:
        rows.append(("Chain", cell(finding.impact_chain)))
    parts = [
        f"### {finding.id} {shown(each.severity).value}: {remark(finding.title)}",
        table(("", ""), rows),
        remark(said(finding)),
    ]
    if finding.quote:
        parts.append(fenced(finding.quote))
    if finding.fix:
        parts.append(f"Fix: {remark(finding.fix)}")
    parts += [_votes(each)] if each.positions or each.defence else []
    parts += [prose(f"{note[:1].upper()}{note[1:].removesuffix('.')}.") for note in each.notes]
    if each.resolution is Resolution.ESCALATED:
        parts.append("The specialists leave this one to you.")
    if each.resolution is Resolution.DISPUTED:
        parts.append(DISPUTED)
    return "\n\n".join(parts)


def _votes(each: Resolved) -> str:
    lines = [
        f"{one.specialist} {one.stance.value}s: {remark(one.evidence)}{f' ({code(str(one.at))})' if one.at else ''}"
        for one in each.positions
    ]
    if each.defence:
        lines.append(
            f"{each.finding.specialist} {'stands by it' if each.defence.stands else 'withdraws it'}: {prose(each.defence.text)}"
        )
    return bullets(lines)


def _dismissed(report: ReviewReport) -> Iterator[str]:
    gone = [each for each in report.resolved if not each.kept]
    if gone:
        yield "## Dismissed\n\nClaims that did not survive a challenge."
    for each in gone:
        yield f"### {each.finding.id}: {remark(each.finding.title)}\n\n{code(str(each.finding.location))}\n\n{_votes(each)}"


def _comments(report: ReviewReport) -> Iterator[str]:
    """Comments of others, each with its ruling (R31)."""
    if report.comments:
        rows = [
            (each.id, each.ruling.value, cell(place_of(each)), cell(author_of(each)), cell(said_in(each)), cell(each.why))
            for each in report.comments
        ]
        yield "## Comments of others\n\n" + table(("Comment", "Ruling", "Place", "Author", "What it says", "Why"), rows)


def _delta(report: ReviewReport) -> Iterator[str]:
    if report.changes:
        rows = [(name, kind.value) for name, kind in report.changes]
        yield "## Since the review before\n\n" + table(("Finding", "Change"), rows)
    for title, group in (("Resolved since", report.fixed), ("Carried over from unchanged files", report.carried)):
        if group:
            yield f"## {title}\n\n" + bullets(_line(each) for each in group)


def _line(finding: ReviewFinding) -> str:
    return f"{finding.id} {finding.shown.value}: {remark(finding.title)} ({code(str(finding.location))})"


def _scope(report: ReviewReport) -> Iterator[str]:
    scope = report.scope
    rows = [
        (code(file.path), ", ".join(f"{start}-{end}" for start, end in file.changed[:10]) or "all", str(file.tokens))
        for file in scope.files[:200]
    ]
    yield f"## Scope\n\n{size_of(report)}, about {scope.tokens:,} tokens, by {scope.kind}.\n\n" + table(
        ("File", "Lines", "Tokens"), rows
    )
    if scope.left_out:
        yield "Left out:\n\n" + bullets(f"{code(path)}: {prose(why)}" for path, why in scope.left_out)
    if scope.neighbours:
        yield "Around the change (context, not under review):\n\n" + bullets(
            f"{each.relation} {code(str(each.at))} of {code(each.symbol)}" for each in scope.neighbours[:50]
        )


def _conduct(report: ReviewReport) -> Iterator[str]:
    if report.trips:
        rows = [(cell(guard), cell(name), cell(text)) for guard, name, text in report.trips]
        yield "## Guardrails\n\n" + table(("Guardrail", "Finding", "What it did"), rows)
    missing = (*report.unreviewed, *report.limitations, *unread(report))
    if missing:
        yield "## Limitations\n\n" + bullets(prose(each) for each in missing)
    if report.notes:
        yield "## Notes\n\n" + bullets(remark(each) for each in report.notes)


def _budget(report: ReviewReport) -> Iterator[str]:
    used = sum(each.tokens for each in report.spending)
    saved = max(0, report.broadcast_tokens - report.routed_tokens)
    lines = [f"Planned {report.planned_tokens:,} tokens, used {used:,}. Routing spared {saved:,} of {report.broadcast_tokens:,}."]
    lines += (
        [table(("Agent", "Phase", "Tokens"), [(each.agent, each.phase, str(each.tokens)) for each in report.spending])]
        if used
        else []
    )
    yield "## Budget\n\n" + "\n\n".join(lines)
