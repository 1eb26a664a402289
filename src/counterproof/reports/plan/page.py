"""The report of a plan verification as one HTML file, in the same frame as an audit's: the verdict, challenges that open with the
plan's lines beside the code that contradicts them, what became of the plan in a change.

Always: the page reads without a script; with it, challenges filter. Whatever stems from the plan, the repository or an agent is
text there by construction.
"""

from collections.abc import Iterable, Iterator

from counterproof.model.excerpt import Excerpt
from counterproof.model.location import at
from counterproof.model.plan.carried_out import Carried, CarriedOut
from counterproof.model.plan.challenge import Challenge, Weight
from counterproof.model.plan.iteration import Verdict
from counterproof.model.plan.report import PlanReport
from counterproof.reports import inert
from counterproof.reports.html.code import link_to, numbered
from counterproof.reports.html.filters import filters
from counterproof.reports.html.frame import bullets, contents, heading, page, part, row, table, tiles
from counterproof.reports.html.island import Node, Texts
from counterproof.reports.html.markup import Markup, tag, together
from counterproof.reports.plan.places import cited
from counterproof.reports.plan.summary import sentence, told
from counterproof.reports.wording import counted, source_link

_LEVELS = {Weight.BLOCKING: "critical", Weight.SIGNIFICANT: "high", Weight.MINOR: "low"}
"""How the style calls a severity."""
_TONES = {
    Verdict.PROCEED: "good",
    Verdict.PROCEED_TRIVIAL: "good",
    Verdict.PROCEED_WITH_QUESTIONS: "fair",
    Verdict.CARRIED_OUT: "good",
    Verdict.NONE: "fair",
    Verdict.PAUSE: "fair",
}


def as_html(report: PlanReport) -> str:
    """The whole file, with a newline at its end."""
    standing = [each for each in report.challenges if each.counts or each.is_open_question]
    sections = [*_sections(report, standing)]
    links = contents((key, title, "") for key, title, _ in sections)
    main = (part(key, title, *blocks) for key, title, blocks in sections)
    title = report.title or "plan"
    name = heading("plan verification", "Verification of ", title, (report.plan_path, f"{report.quality.value.lower()} plan"))
    return page(f"Plan verification: {title}", "", links, (name, *main), _island(report, standing))


def _sections(report: PlanReport, standing: list[Challenge]) -> Iterator[tuple[str, str, tuple[Markup, ...]]]:
    """Anchor, title and content."""
    yield "overview", "Verdict", (_verdict(report, standing),)
    if report.carried_out:
        yield "change", "The change", tuple(_of_the_change(report.carried_out))
    else:
        yield "findings", "Challenges and questions", tuple(_standing(report, standing))
    others = [each for each in report.challenges if each not in standing]
    if others:
        rows = [(each.id, str(each.severity), str(each.status), each.concern, each.resolution) for each in others]
        yield "settled", "Settled", (table(("Id", "Severity", "Status", "Concern", "Resolution"), rows),)
    for key, title, group in (
        ("ungrounded", "Raised, but contradicted by no line", report.ungrounded),
        ("set-aside", "Set aside", report.set_aside),
    ):
        if group:
            yield key, title, (bullets(f"{each.id} ({each.severity}): {each.concern}" for each in group),)
    if report.questions or report.responses:
        yield "questions", "Questions", tuple(_questions(report))
    if report.contexts or report.risks or report.unknowns:
        yield "research", "Research", tuple(_research(report))
    if report.card:
        rows = [(mark.aspect.value, str(mark.points), mark.evidence) for mark in report.card.marks]
        note = tag("p", "For the reader; nothing is decided by it.")
        yield "score", f"Score: {report.score} of 10", (note, table(("Aspect", "Points", "Evidence"), rows))
    if report.limitations:
        yield "limitations", "Limitations", (bullets(report.limitations),)
    if report.log:
        yield "record", "Log", (bullets(report.log),)


def _verdict(report: PlanReport, standing: list[Challenge]) -> Markup:
    tone = _TONES.get(report.verdict, "poor")
    counts = [(_LEVELS[kind], kind.value.capitalize(), sum(each.severity is kind for each in standing)) for kind in Weight]
    if report.carried_out:
        asked = [each for step in report.carried_out.steps for each in step.asked if each.firm]
        shown = (("high", Carried.MISSING), ("low", Carried.OTHERWISE), ("info", Carried.DONE))
        counts = [(level, kind.value.capitalize(), sum(each.status is kind for each in asked)) for level, kind in shown]
    words = (
        tag("p", "Result", class_="eyebrow"),
        tag("p", report.verdict.value.capitalize() or "None", class_="headline"),
        tag("p", report.sentence),
        tag("p", report.next_step, class_="quiet"),
        *((tag("p", report.coverage.said, class_="quiet"),) if report.coverage.statements else ()),
    )
    return tag("div", tag("div", *words, class_=f"outcome {tone}"), tag("div", tiles(counts), class_="counts"), class_="verdict")


def _of_the_change(found: CarriedOut) -> Iterable[Markup]:
    yield tag("p", f"{found.change}: {found.base[:12]} to {found.head[:12] or 'the work tree'}")
    if found.missing:
        yield tag("h3", "What is missing")
        yield bullets(told(each) for each in found.missing)
    for step in found.steps:
        yield tag("h3", f"{f'{step.number}. ' if step.number else ''}{step.title.replace('`', '')}: {step.status}")
        doubts = [(each, "" if each.firm else ", not asked for outright") for each in step.asked]
        rows = [(str(each.line), f"{each.intent} {each.text}", f"{each.became}{doubt}", each.where) for each, doubt in doubts]
        if rows:
            yield table(("Line", "The plan", "Became", "Where"), rows)
    if found.beyond:
        yield tag("h3", "Beyond the plan")
        yield table(("File", "What"), [(each.path, each.what) for each in found.beyond])
    if found.followed:
        yield tag("h3", "Along with it")
        yield bullets(found.followed)


def _standing(report: PlanReport, challenges: list[Challenge]) -> Iterator[Markup]:
    if not challenges:
        yield tag("p", "None.")
        return
    yield tag("p", counted(len(challenges), "challenge"), id="count", aria_live="polite", data_noun="challenge")
    levels = [(_LEVELS[kind], kind.value.capitalize(), sum(each.severity is kind for each in challenges)) for kind in Weight]
    origins = dict.fromkeys(each.origin.value for each in challenges)
    yield filters(levels, "Raised by", [(each, each.replace("-", " ")) for each in origins])
    yield tag("ol", together(_challenge(report, each) for each in challenges), class_="findings", id="list")
    yield tag("p", "No challenge matches the filter.", id="nothing", hidden=True)


def _challenge(report: PlanReport, each: Challenge) -> Markup:
    about = (tag("span", each.origin.value.replace("-", " ")), tag("span", f"confidence: {each.confidence.value.lower()}"))
    body = (
        tag("p", sentence(each.claim)),
        tag("p", sentence(each.failure_scenario), class_="impact"),
        tag("h4", "The plan, and what contradicts it", class_="evidence"),
        *_beside(report, each),
        tag("h4", "To settle it", class_="remedy"),
        tag("p", sentence(each.alternative)),
    )
    return row(each.id, each.id, _LEVELS[each.severity], str(each.severity).lower(), each.concern, about, body)


def _beside(report: PlanReport, challenge: Challenge) -> Iterator[Markup]:
    """Every place with the lines around it; a search that found nothing has none."""
    known = dict(report.excerpts)
    for where, text, source in cited(report, challenge):
        yield tag("p", where, class_="note")
        if text:
            path, _, line = source.rpartition(":")
            shown = known.get(source) or Excerpt(int(line), (text,))
            yield numbered("plan.md" if path == "plan" else path, shown, int(line), int(line))
            if path != "plan":
                yield from link_to(source_link(report.source_url, at(path, int(line))))


def _questions(report: PlanReport) -> Iterator[Markup]:
    if report.questions:
        yield bullets(f"{each.challenge_id}: {each.text} ({each.why})" for each in report.questions)
    if report.responses:
        yield tag("h3", "The user's answers")
        yield bullets(f"{each.challenge_id}: {each.text}" for each in report.responses)


def _research(report: PlanReport) -> Iterator[Markup]:
    if report.contexts:
        yield tag("h3", "Surfaced context")
        rows = [(each.id, each.location, each.relevance, each.impact.value) for each in report.contexts]
        yield table(("Id", "Location", "Relevance", "Impact"), rows)
    if report.risks:
        yield tag("h3", "Probed risks")
        yield bullets(f"{each.risk} ({each.probability})" for each in report.risks)
    if report.unknowns:
        yield tag("h3", "Unknowns")
        rows = [(each.id, each.affects_challenge, each.resolution.value, each.finding) for each in report.unknowns]
        yield table(("Id", "Challenge", "Resolution", "Finding"), rows)


def _island(report: PlanReport, challenges: list[Challenge]) -> dict[str, object]:
    """What the filters ask for; an opened challenge holds everything already."""
    texts = Texts()
    rows: list[Node] = []
    for each in challenges:
        paths = [source.rpartition(":")[0] for _, _, source in cited(report, each) if source]
        path = next((path for path in paths if path != "plan"), "plan")
        rows.append([_LEVELS[each.severity], each.origin.value, texts.add(path, inert.MAX_CODE), texts.add(""), [], [], []])
    return {"findings": rows, "text": list(texts.known), "chains": []}
