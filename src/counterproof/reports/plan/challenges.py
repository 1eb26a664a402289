"""One challenge in full: its statement, its evidence side by side, research results, and its history.

The same content for every format. Nothing is decided here.
"""

from collections.abc import Iterator

from counterproof.model.excerpt import Excerpt
from counterproof.model.location import at
from counterproof.model.plan.challenge import Challenge, Weight
from counterproof.model.plan.report import PlanReport
from counterproof.reports.screen import WIDTH, Item, Row, clipped, item, wrapped
from counterproof.reports.sections import blocks
from counterproof.reports.sections.blocks import Block, Bullets, Card, Paragraph, Quote, Section, own, points, remark, said
from counterproof.reports.text import write_text
from counterproof.reports.wording import source_link

LEVELS = {Weight.BLOCKING: "critical", Weight.SIGNIFICANT: "high", Weight.MINOR: "low"}
"""The style name of each severity."""
MAX_LINES = 3


def explain(report: PlanReport, challenge: Challenge) -> str:
    """The whole explanation for a terminal, ending in a newline."""
    each = card(report, challenge)
    head = (
        f"{challenge.id}  {challenge.severity}  {challenge.status}  confidence {challenge.confidence}",
        f"raised by {challenge.origin.value} in iteration {challenge.iteration_introduced}",
    )
    return write_text(head, (*said("concern", "Concern", challenge.concern), *each.parts, *each.record))


def card(report: PlanReport, challenge: Challenge) -> Card:
    """The challenge with its current status; its history is the record."""
    places = [source.rpartition(":")[0] for _, _, source in cited(report, challenge) if source]
    return Card(
        challenge.id,
        LEVELS[challenge.severity],
        "question" if challenge.is_open_question else str(challenge.severity).lower(),
        challenge.concern,
        (own(challenge.origin.value.replace("-", " ")), own(f"confidence: {challenge.confidence.value.lower()}")),
        (
            *said("claim", "Claim", sentence(challenge.claim)),
            *said("impact", "Failure scenario", sentence(challenge.failure_scenario)),
            Section("evidence", "The plan, and what contradicts it", tuple(_beside(report, challenge))),
            *points("merged", "Also raised by", map(_also, merged(report, challenge))),
            *said("remedy", "To settle it", sentence(challenge.alternative) if challenge.alternative else ""),
        ),
        tuple(_record(report, challenge)),
        area=challenge.origin.value,
        path=next((path for path in places if path != "plan"), "plan"),
    )


def summed(report: PlanReport, each: Challenge) -> Item:
    """Its subject, the lines behind it, and what would settle it, in a few rows."""
    head = "" if each.is_open_question else f" {each.severity}:"
    rows = item(f"{each.id}{head} {sentence(each.claim)} {sentence(each.concern)}")
    for where, words, _ in cited(report, each)[:MAX_LINES]:
        rows.append(Row(f"      {clipped(f'{where}: {words}' if words else where, WIDTH - 6)}"))
    for other in merged(report, each):
        rows += [Row(line) for line in wrapped(f"Also {_also(other)}", "      ", "      ")]
    asked = next((one.text for one in report.questions if one.challenge_id == each.id), "")
    if asked:
        short = asked.removeprefix(each.concern.rstrip(".")).lstrip(". ")
        rows += [Row(line) for line in wrapped(f"Question: {short}", "      ", "      ")]
    if each.alternative:
        rows += [Row(line) for line in wrapped(f"To settle it: {sentence(each.alternative)}", "      ", "      ")]
    return Item(tuple(rows))


def merged(report: PlanReport, challenge: Challenge) -> tuple[Challenge, ...]:
    """The challenges that were merged into one, each wording once."""
    own = {(challenge.claim, challenge.concern)}
    found = {(each.claim, each.concern): each for first, each in report.merged if first == challenge.id}
    return tuple(each for words, each in found.items() if words not in own)


def _also(each: Challenge) -> str:
    return f"{each.origin.value} ({each.severity}): {sentence(each.claim)} {sentence(each.concern)}"


def sentence(words: str) -> str:
    """A text with a final full stop or question mark."""
    return words if words.endswith((".", "?", "!")) else f"{words}."


def cited(report: PlanReport, challenge: Challenge) -> list[tuple[str, str, str]]:
    """(location in words, the line there, its source as path:line), the plan's first, then the repository's; a search without
    results has neither line nor source."""
    ground = next((each for each in report.grounds if each.challenge_id == challenge.id), None)
    if ground is None:
        return []
    texts = dict(report.lines)
    sources = dict.fromkeys(each for each in (*ground.plan_sources, *ground.places) if each in texts)
    found = [
        (f"plan, line {each.removeprefix('plan:')}" if each.startswith("plan:") else each, texts[each], each) for each in sources
    ]
    searched = [(f"no file {'has the path' if '/' in word else 'of the code holds'} {word}", "", "") for word in ground.search]
    return found + searched


def _beside(report: PlanReport, challenge: Challenge) -> Iterator[Block]:
    """Every location with the surrounding lines; a search without results has none."""
    known = dict(report.excerpts)
    for where, words, source in cited(report, challenge):
        yield Paragraph(blocks.text(where))
        if words:
            path, _, line = source.rpartition(":")
            shown = known.get(source) or Excerpt(int(line), (words,))
            link = "" if path == "plan" else source_link(report.source_url, at(path, int(line)))
            yield Quote("plan.md" if path == "plan" else path, shown, int(line), int(line), link)


def _record(report: PlanReport, challenge: Challenge) -> Iterator[Section]:
    name = challenge.id
    contexts = (each for each in report.contexts if each.generates_challenge == name)
    yield from points("context", "Context", (f"{each.location}: {each.relevance}" for each in contexts))
    risks = (each for each in report.risks if each.generates_challenge == name)
    yield from points("risk", "Risk", (f"{each.risk} ({each.probability})" for each in risks))
    unknowns = (each for each in report.unknowns if each.affects_challenge == name)
    yield from points("research", "Research", (f"{each.id} {each.resolution}: {each.finding}" for each in unknowns))
    answers = (each.text for each in report.responses if each.challenge_id == name)
    yield from points("answers", "The user's answers", answers)
    states = ((state.iteration, each) for state in report.iterations for each in state.challenges if each.id == name)
    yield from points("course", "Course", (f"after iteration {number}: {each.status}" for number, each in states))
    yield from said("resolution", "Resolution", challenge.resolution)
    if challenge in report.set_aside:
        yield from said("aside", "Set aside", "There were more challenges than the protocol allows.")


def listed(key: str, title: str, group: tuple[Challenge, ...]) -> tuple[Section, ...]:
    """Challenges, one line each."""
    rows = tuple(remark(f"{each.id} ({each.severity}): {each.concern}") for each in group)
    return (Section(key, title, (Bullets(rows),)),) if rows else ()
