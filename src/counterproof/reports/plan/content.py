"""The report of a plan verification as a document: verdict, challenges, comparison with a change, research (P14).

Invariant: empty sections are left out. Not handled here: layout, which the writers decide.
"""

from collections.abc import Iterator

from counterproof.model.plan.carried_out import Asked, Carried, CarriedOut, StepOutcome
from counterproof.model.plan.challenge import Challenge, Standing, Weight
from counterproof.model.plan.iteration import Verdict
from counterproof.model.plan.report import PlanReport, ResearchEntry
from counterproof.reports.plan.challenges import LEVELS, card, listed, summed
from counterproof.reports.screen import WIDTH, Item, Part, Row, clipped, headed, item
from counterproof.reports.sections.blocks import (
    Block,
    Cards,
    Document,
    Heading,
    Inline,
    Paragraph,
    Section,
    Table,
    code,
    joined,
    own,
    points,
    remark,
    rows_of,
    said,
    sentence,
    text,
)
from counterproof.reports.wording import counted

_TONES = {
    Verdict.PROCEED: "good",
    Verdict.PROCEED_TRIVIAL: "good",
    Verdict.PROCEED_WITH_QUESTIONS: "fair",
    Verdict.CARRIED_OUT: "good",
    Verdict.NONE: "fair",
    Verdict.PAUSE: "fair",
}
_BECAME = ((Carried.MISSING, "high"), (Carried.OTHERWISE, "low"), (Carried.DONE, "info"))


def document(report: PlanReport) -> Document:
    """The whole document."""
    checked = report.coverage.said if report.coverage.total else ""
    return Document(
        kind="plan verification",
        about="Verification of ",
        target=report.title or "plan",
        facts=(report.plan_path, f"{report.quality.value.lower()} plan", f"{report.team} team"),
        result=report.verdict.value.capitalize() or "None",
        tone=_TONES.get(report.verdict, "poor"),
        said=(report.sentence, report.next_step, checked),
        counts=_counts(report),
        notices=(),
        sections=tuple(_sections(report)),
        summary=tuple(_summary(report)),
    )


def _shown(report: PlanReport) -> tuple[Challenge, ...]:
    return tuple(each for each in report.challenges if each.counts or each.is_open_question)


def _counts(report: PlanReport) -> tuple[tuple[str, str, int], ...]:
    if report.carried_out:
        asked = [each for step in report.carried_out.steps for each in step.asked if each.firm]
        return tuple((level, kind.value.capitalize(), sum(each.status is kind for each in asked)) for kind, level in _BECAME)
    shown = _shown(report)
    return tuple((LEVELS[kind], kind.value.capitalize(), sum(each.severity is kind for each in shown)) for kind in Weight)


def _sections(report: PlanReport) -> Iterator[Section]:
    shown = _shown(report)
    if report.carried_out:
        yield Section("change", "The change", tuple(_of_the_change(report.carried_out)))
    else:
        levels = tuple((LEVELS[kind], kind.value.capitalize()) for kind in Weight)
        areas = tuple((each, each.replace("-", " ")) for each in dict.fromkeys(each.origin.value for each in shown))
        cards = Cards(tuple(card(report, each) for each in shown), "challenge", levels, "Raised by", areas)
        yield Section("findings", "Challenges and questions", (cards,))
    yield from _others(report, tuple(each for each in report.challenges if each not in shown))
    yield from _asked(report)
    yield from _research(report)
    yield from _score(report)
    yield from listed("debt", "Technical debt warning", report.debt)
    yield from points("limitations", "Limitations", report.limitations)
    yield from joined("record", "How this verification ran", *_record(report))


def _others(report: PlanReport, others: tuple[Challenge, ...]) -> Iterator[Section]:
    """Settled challenges, those without a mitigation, and questions that are not challenges of the protocol."""
    rows = (
        (own(each.id), own(each.severity), own(each.status), remark(each.concern), remark(each.resolution)) for each in others
    )
    yield from rows_of("settled", "Settled", ("Id", "Severity", "Status", "Concern", "Resolution"), rows)
    yield from said("unmitigated", "Without a mitigation", ", ".join(report.unmitigated))
    yield from listed("ungrounded", "Raised, but not contradicted by any line", report.ungrounded)
    yield from listed("set-aside", "Set aside (DEFERRED_SURFACED)", report.set_aside)


def _asked(report: PlanReport) -> tuple[Section, ...]:
    questions = (f"{each.challenge_id}: {each.text} ({each.why})" for each in report.questions)
    answers = (f"{each.challenge_id}, iteration {each.iteration}: {each.text}" for each in report.responses)
    return joined("questions", "Questions", points("", "Asked", questions), points("", "The user's answers", answers))


def _research(report: PlanReport) -> tuple[Section, ...]:
    contexts = (
        (
            own(each.id), own(each.source.value), text(each.location), remark(each.relevance), own(each.impact.value),
            own(each.generates_challenge),
        )
        for each in report.contexts
    )  # fmt: skip
    risks = (
        (own(each.id), remark(each.risk), remark(each.trigger), own(each.severity), own(each.generates_challenge))
        for each in report.risks
    )
    unknowns = (
        (own(each.id), own(each.affects_challenge), own(each.resolution.value), remark(each.finding)) for each in report.unknowns
    )
    ledger = ((own(str(each.iteration)), own(each.mode.value if each.mode else ""), text(_used(each))) for each in report.ledger)
    return joined(
        "research",
        "Research",
        rows_of("", "Surfaced context", ("Id", "Source", "Location", "Relevance", "Impact", "Challenge"), contexts),
        rows_of("", "Probed risks", ("Id", "Risk", "Trigger", "Severity", "Challenge"), risks),
        rows_of("", "Unknowns", ("Id", "Challenge", "Resolution", "Finding"), unknowns),
        rows_of("", "Research ledger", ("Iteration", "Mode", "Used"), ledger),
    )


def _used(each: ResearchEntry) -> str:
    return ", ".join(f"{used.tool} {used.calls}" + (f" (+{used.refused} refused)" if used.refused else "") for used in each.used)


def _score(report: PlanReport) -> Iterator[Section]:
    if report.card is None:
        return
    marks = tuple((own(each.aspect.value), own(str(each.points)), remark(each.reason)) for each in report.card.marks)
    blocks: list[Block] = [
        sentence("For information only; it decides nothing."),
        Table(("Aspect", "Points", "Evidence"), marks),
    ]
    disputes = (
        (
            own(each.synthesizer.aspect.value),
            remark(f"{each.synthesizer.points}: {each.synthesizer.reason}"),
            remark(f"{each.challenger.points}: {each.challenger.reason}"),
        )
        for each in report.disputes
    )
    disputed = joined("", "", rows_of("", "Score dispute", ("Aspect", "Synthesizer", "Challenger"), disputes))
    yield Section("score", f"Score: {report.score} of 10", (*blocks, *(block for each in disputed for block in each.blocks)))


def _record(report: PlanReport) -> Iterator[tuple[Section, ...]]:
    parts = ", ".join(f"{name} {weight}" for name, weight in report.complexity)
    total = sum(weight for _, weight in report.complexity)
    digest = f"SHA-256 of the plan: {report.plan_digest}"
    yield points("", "Figures", (digest, f"Complexity: {total} ({parts})", f"Iterations: {len(report.iterations)}"))
    yield points("", "Log", report.log)


def _of_the_change(found: CarriedOut) -> Iterator[Block]:
    """The outcome of each step, and what the change does beyond the plan."""
    yield Paragraph(text(f"{found.change}: {found.base[:12]} to {found.head[:12] or 'the work tree'}"))
    for step in found.steps:
        yield Heading(remark(f"{titled(step)}: {step.status}"))
        if step.asked:
            yield Table(("Line", "The plan", "Became", "Where"), tuple(map(_asked_row, step.asked)))
    beyond = ((code(each.path), text(each.what)) for each in found.beyond)
    for each in joined(
        "",
        "",
        points("", "What is missing", map(told, found.missing)),
        rows_of("", "Beyond the plan", ("File", "What"), beyond),
        points("", "Along with it", found.followed),
    ):
        yield from each.blocks


def _asked_row(each: Asked) -> tuple[Inline, ...]:
    doubt = "" if each.firm else ", implied"
    return (own(str(each.line)), remark(f"{each.intent} {each.text}"), own(f"{each.became}{doubt}"), text(each.where))


def told(each: Asked) -> str:
    """The outcome of one thing that the plan asks for."""
    doubt = "" if each.firm else ", implied"
    where = f", {each.where}" if each.where and each.where != each.text else ""
    return f"{each.became} (line {each.line}{doubt}): {each.text}{where}"


def titled(step: StepOutcome) -> str:
    """A step's title, with its number if the title does not contain it."""
    return step.title if not step.number or str(step.number) in step.title else f"{step.number}. {step.title}"


def _summary(report: PlanReport) -> Iterator[Part]:
    """The last lines on the terminal: verdict, open challenges, next step."""
    title = report.title.removeprefix("Plan: ").strip()
    about = f"{report.plan_path}{f', {title}' if title else ''} ({report.quality}, {report.team} team)"
    yield Part((*headed("VERDICT", f"{report.verdict or 'none'}. {report.sentence}"), *headed("PLAN", about)))
    if report.carried_out:
        yield from _of_the_steps(report.carried_out)
    else:
        standing = [each for each in report.challenges if each.counts and not each.is_open_question]
        standing.sort(key=lambda each: each.severity.rank)
        asked = [each for each in report.challenges if each.is_open_question]
        for name, note, group in (
            ("STANDING", counted(len(standing), "challenge"), standing),
            ("QUESTIONS", f"{len(asked)} (do not block)", asked),
        ):
            if group:
                yield Part(tuple(headed(name, note)), tuple(summed(report, each) for each in group), "challenge")
    yield Part((*_settled(report), *headed("NEXT", report.next_step)))


def _settled(report: PlanReport) -> Iterator[Row]:
    """Settled challenges, checked statements, and the score."""
    settled = [each for each in report.challenges if each.status in (Standing.RESOLVED, Standing.WITHDRAWN)]
    if report.carried_out:
        return
    if settled:
        yield from headed("SETTLED", f"{counted(len(settled), 'challenge')} in {counted(len(report.iterations), 'iteration')}")
    if report.coverage.total:
        yield from headed("CHECKED", report.coverage.said)
    if report.score is not None:
        capped = report.card is not None and report.score == report.coverage.most_points < report.card.total
        why = "no higher than the checked share" if capped else "it decides nothing"
        yield from headed("SCORE", f"{report.score} of 10 (for information only; {why})")


def _of_the_steps(found: CarriedOut) -> Iterator[Part]:
    """The outcome of each step of the plan; then what the change does beyond it."""
    change = f"{found.change} ({found.base[:12]} to {found.head[:12] or 'the work tree'})"
    head = (*headed("CHANGE", change), *headed("STEPS", counted(len(found.steps), "step")))
    yield Part(head, tuple(map(_step, found.steps)), "step")
    if found.beyond:
        head = tuple(headed("BEYOND", f"{counted(len(found.beyond), 'changed file')} beyond the plan's intents"))
        yield Part(head, tuple(Item(tuple(item(f"{each.path}: {each.what}"))) for each in found.beyond), "file")
    if found.followed:
        along = f"{counted(len(found.followed), 'lock file or test', 'lock files and tests')} of the rest"
        yield Part(tuple(headed("ALONG", along)))


def _step(step: StepOutcome) -> Item:
    firm = [each.status is not Carried.MISSING for each in step.asked if each.firm]
    count = f" ({sum(firm)} of {len(firm)})" if firm else ""
    left = (Row(f"      {clipped(told(each), WIDTH - 6)}") for each in step.asked if each.status is not Carried.DONE)
    return Item((*item(f"{titled(step)}: {step.status}{count}"), *left))
