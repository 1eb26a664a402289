"""The report as Markdown: verdict, table of challenges, score, disputes, context, debt, research ledger, next step (P14)."""

from collections.abc import Iterator

from counterproof.model.plan.report import PlanReport
from counterproof.reports.inert import cell, code, prose
from counterproof.reports.markdown.table import bullets, table
from counterproof.reports.plan.places import beside_each_other
from counterproof.reports.plan.summary import sentence, told


def as_markdown(report: PlanReport) -> str:
    """The whole page. Sections with nothing to say are left out."""
    return "\n\n".join(_sections(report)) + "\n"


def _sections(report: PlanReport) -> Iterator[str]:
    yield f"# Plan verification: {prose(report.title or 'plan', 200)}"
    yield f"**Verdict: {report.verdict or 'none'}.** {prose(report.sentence)}"
    yield from _about(report)
    yield from _of_the_change(report)
    yield from _challenges(report)
    yield from _mitigations(report)
    yield from _questions(report)
    yield from _score(report)
    yield from _research(report)
    yield from _debt(report)
    yield from _conduct(report)
    yield f"## Next step\n\n{prose(report.next_step)}"


def _of_the_change(report: PlanReport) -> Iterator[str]:
    """What became of each step, and what the change does beyond the plan."""
    found = report.carried_out
    if found is None:
        return
    yield f"## The change\n\n{code(found.change)}: {code(found.base)} to {code(found.head) if found.head else 'the work tree'}"
    for step in found.steps:
        head = f"### {f'{step.number}. ' if step.number else ''}{prose(step.title, 200)}: {step.status}"
        yield head + ("\n\n" + bullets(prose(told(each)) for each in step.asked) if step.asked else "")
    if found.beyond:
        yield "## Beyond the plan\n\n" + bullets(f"{code(each.path)}: {each.what}" for each in found.beyond)
    if found.followed:
        yield "## Along with it\n\n" + bullets(code(each) for each in found.followed)


def _about(report: PlanReport) -> Iterator[str]:
    parts = ", ".join(f"{name} {points}" for name, points in report.complexity)
    total = sum(points for _, points in report.complexity)
    rows = [
        ("Plan", code(report.plan_path)),
        ("SHA-256", code(report.plan_digest)),
        ("Quality", str(report.quality)),
        ("Complexity", f"{total} ({cell(parts)})"),
        ("Team", str(report.team)),
        ("Iterations", str(len(report.iterations))),
    ]
    if report.coverage.statements:
        rows.append(("Checked", cell(report.coverage.said)))
    yield table(("", ""), rows)


def _challenges(report: PlanReport) -> Iterator[str]:
    if not report.challenges:
        return
    rows = [
        (each.id, str(each.severity), str(each.status), each.origin.value, cell(each.claim, 300), cell(each.resolution, 400))
        for each in report.challenges
    ]
    yield "## Challenges\n\n" + table(("Id", "Severity", "Status", "Raised by", "Claim", "Resolution"), rows)
    for each in report.challenges:
        if each.counts or each.is_open_question:
            beside = [f"- {where}: {code(text)}" if text else f"- {where}" for where, text in beside_each_other(report, each)]
            lines = [
                f"### {each.id} ({'question' if each.is_open_question else each.severity}, confidence {each.confidence})",
                prose(f"{sentence(each.claim)} {sentence(each.concern)}"),
                "\n".join(beside),
                f"Failure scenario: {prose(sentence(each.failure_scenario))}",
                f"To settle it: {prose(sentence(each.alternative))}" if each.alternative else "",
            ]
            yield "\n\n".join(line for line in lines if line)


def _mitigations(report: PlanReport) -> Iterator[str]:
    if report.unmitigated:
        yield f"## Without a mitigation\n\n{', '.join(report.unmitigated)}"
    if report.ungrounded:
        listed = bullets(f"{each.id} ({each.severity}): {prose(each.concern)}" for each in report.ungrounded)
        yield f"## Raised, but contradicted by no line\n\n{listed}"
    if report.set_aside:
        listed = bullets(f"{each.id} (DEFERRED_SURFACED, {each.severity}): {prose(each.concern)}" for each in report.set_aside)
        yield f"## Set aside\n\n{listed}"


def _questions(report: PlanReport) -> Iterator[str]:
    if report.questions:
        yield "## Questions\n\n" + bullets(
            f"{each.challenge_id}: {prose(each.text)} ({prose(each.why)})" for each in report.questions
        )
    if report.responses:
        listed = bullets(f"{each.challenge_id}, iteration {each.iteration}: {prose(each.text)}" for each in report.responses)
        yield f"## The user's answers\n\n{listed}"


def _score(report: PlanReport) -> Iterator[str]:
    if report.card is None:
        return
    rows = [(each.aspect.value, str(each.points), cell(each.evidence)) for each in report.card.marks]
    head = f"## Score: {report.score} of 10\n\nFor the reader; nothing is decided by it.\n\n"
    yield head + table(("Aspect", "Points", "Evidence"), rows)
    if report.disputes:
        rows = [
            (
                each.synthesizer.aspect.value,
                f"{each.synthesizer.points}: {cell(each.synthesizer.evidence)}",
                f"{each.challenger.points}: {cell(each.challenger.evidence)}",
            )
            for each in report.disputes
        ]
        yield "## Score Dispute\n\n" + table(("Aspect", "Synthesizer", "Challenger"), rows)


def _research(report: PlanReport) -> Iterator[str]:
    if report.contexts:
        rows = [
            (each.id, each.source.value, cell(each.location), cell(each.relevance), each.impact.value, each.generates_challenge)
            for each in report.contexts
        ]
        yield "## Surfaced context\n\n" + table(("Id", "Source", "Location", "Relevance", "Impact", "Challenge"), rows)
    if report.risks:
        rows = [
            (each.id, cell(each.risk), cell(each.trigger), str(each.severity), each.generates_challenge) for each in report.risks
        ]
        yield "## Probed risks\n\n" + table(("Id", "Risk", "Trigger", "Severity", "Challenge"), rows)
    if report.unknowns:
        rows = [(each.id, each.affects_challenge, each.resolution.value, cell(each.finding)) for each in report.unknowns]
        yield "## Unknowns\n\n" + table(("Id", "Challenge", "Resolution", "Finding"), rows)
    if report.ledger:
        rows = [
            (
                str(each.iteration),
                each.mode.value if each.mode else "",
                cell(
                    ", ".join(
                        f"{used.tool} {used.calls}" + (f" (+{used.refused} refused)" if used.refused else "")
                        for used in each.used
                    )
                ),
            )
            for each in report.ledger
        ]
        yield "## Research ledger\n\n" + table(("Iteration", "Mode", "Used"), rows)


def _debt(report: PlanReport) -> Iterator[str]:
    if report.debt:
        yield "## Technical Debt Warning\n\n" + bullets(f"{each.id}: {prose(each.concern)}" for each in report.debt)


def _conduct(report: PlanReport) -> Iterator[str]:
    if report.limitations:
        yield "## Limitations\n\n" + bullets(prose(each) for each in report.limitations)
    if report.log:
        yield "## Log\n\n" + bullets(prose(each) for each in report.log)
