"""What a user reads last on the terminal: the verdict, what stands, what to do next."""

from collections.abc import Iterator

from counterproof.model.plan.carried_out import Asked, Carried, CarriedOut, StepOutcome
from counterproof.model.plan.challenge import Challenge, Standing
from counterproof.model.plan.report import PlanReport
from counterproof.reports.plan.places import beside_each_other
from counterproof.reports.screen import WIDTH, Row, clipped, headed, item, wrapped
from counterproof.reports.wording import counted

MAX_SHOWN = 8
MAX_QUESTIONS = 5
MAX_LINES = 3


def summary_rows(report: PlanReport) -> tuple[Row, ...]:
    """At most a screen: the verdict first."""
    return tuple(_rows(report))


def _rows(report: PlanReport) -> Iterator[Row]:
    yield from headed("VERDICT", f"{report.verdict or 'none'}. {report.sentence}")
    yield from headed("PLAN", f"{report.plan_path}{_title(report)} ({report.quality}, {report.team} team)")
    if report.carried_out:
        yield from _of_the_change(report.carried_out)
        yield from headed("NEXT", report.next_step)
        return
    standing = [each for each in report.challenges if each.counts and not each.is_open_question]
    standing.sort(key=lambda each: each.severity.rank)
    if standing:
        yield from headed("STANDING", counted(len(standing), "challenge"))
    for each in standing[:MAX_SHOWN]:
        yield from _challenge(report, each)
    if len(standing) > MAX_SHOWN:
        yield from item(f"{len(standing) - MAX_SHOWN} more in the report")
    asked = [each for each in report.challenges if each.is_open_question]
    if asked:
        yield from headed("QUESTIONS", f"{len(asked)} (do not block)")
    for each in asked[:MAX_QUESTIONS]:
        yield from _challenge(report, each)
    if len(asked) > MAX_QUESTIONS:
        yield from item(f"{len(asked) - MAX_QUESTIONS} more in the report")
    yield from _closing(report)


def _closing(report: PlanReport) -> Iterator[Row]:
    """What was settled, what was checked, the score and the next step."""
    settled = [each for each in report.challenges if each.status in (Standing.RESOLVED, Standing.WITHDRAWN)]
    if settled:
        yield from headed("SETTLED", f"{counted(len(settled), 'challenge')} in {counted(len(report.iterations), 'iteration')}")
    if report.coverage.statements:
        yield from headed("CHECKED", report.coverage.said)
    if report.score is not None:
        yield from headed("SCORE", f"{report.score} of 10 (for the reader; nothing is decided by it)")
    yield from headed("NEXT", report.next_step)


def _challenge(report: PlanReport, each: Challenge) -> Iterator[Row]:
    """What it is about, the lines that say so, and what would settle it."""
    head = "" if each.is_open_question else f" {each.severity}:"
    yield from item(f"{each.id}{head} {sentence(each.claim)} {sentence(each.concern)}")
    for where, text in beside_each_other(report, each)[:MAX_LINES]:
        yield Row(f"      {clipped(f'{where}: {text}' if text else where, WIDTH - 6)}")
    if each.alternative:
        yield from (Row(line) for line in wrapped(f"To settle it: {sentence(each.alternative)}", "      ", "      "))


def sentence(text: str) -> str:
    """A text with the full stop or the question mark that ends it."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _of_the_change(found: CarriedOut) -> Iterator[Row]:
    """Step by step what became of the plan; then what the change does beyond it."""
    yield from headed("CHANGE", f"{found.change} ({found.base[:12]} to {found.head[:12] or 'the work tree'})")
    yield from headed("STEPS", counted(len(found.steps), "step"))
    for step in found.steps:
        firm = [each.status is not Carried.MISSING for each in step.asked if each.firm]
        count = f" ({sum(firm)} of {len(firm)})" if firm else ""
        yield from item(f"{titled(step)}: {step.status}{count}")
        for each in step.asked:
            if each.status is not Carried.DONE:
                yield Row(f"      {clipped(told(each), WIDTH - 6)}")
    if found.beyond:
        yield from headed("BEYOND", f"{counted(len(found.beyond), 'changed file')} that no intent names")
    for each in found.beyond[:MAX_SHOWN]:
        yield from item(f"{each.path}: {each.what}")
    if len(found.beyond) > MAX_SHOWN:
        yield from item(f"{len(found.beyond) - MAX_SHOWN} more in the report")
    if found.followed:
        yield from headed("ALONG", f"{counted(len(found.followed), 'lock file or test', 'lock files and tests')} of the rest")


def told(each: Asked) -> str:
    """What became of one thing that the plan asks for."""
    doubt = "" if each.firm else ", not asked for outright"
    where = f", {each.where}" if each.where and each.where != each.text else ""
    return f"{each.became} (line {each.line}{doubt}): {each.text}{where}"


def titled(step: StepOutcome) -> str:
    """A step by its title, with its number where the title does not have it."""
    return step.title if not step.number or str(step.number) in step.title else f"{step.number}. {step.title}"


def _title(report: PlanReport) -> str:
    """The heading of the plan, if it says more than that it is one."""
    title = report.title.removeprefix("Plan: ").strip()
    return f", {title}" if title else ""
