"""What a challenge rests on, line beside line: what the plan says, and what contradicts it."""

from counterproof.model.plan.challenge import Challenge
from counterproof.model.plan.report import PlanReport


def cited(report: PlanReport, challenge: Challenge) -> list[tuple[str, str, str]]:
    """(where in words, the line there, its source as path:line) of the plan first, then of the repository; a search that found
    nothing has neither line nor source."""
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


def beside_each_other(report: PlanReport, challenge: Challenge) -> list[tuple[str, str]]:
    """(where, the line there) of the same places."""
    return [(where, text) for where, text, _ in cited(report, challenge)]
