"""What a challenge rests on, line beside line: what the plan says, and what contradicts it."""

from counterproof.model.plan.challenge import Challenge
from counterproof.model.plan.report import PlanReport


def beside_each_other(report: PlanReport, challenge: Challenge) -> list[tuple[str, str]]:
    """(where, the line there) of the plan first, then of the repository; a search that found nothing has no line."""
    ground = next((each for each in report.grounds if each.challenge_id == challenge.id), None)
    if ground is None:
        return []
    texts = dict(report.lines)
    plan = [(f"plan, line {source.removeprefix('plan:')}", texts[source]) for source in ground.plan_sources if source in texts]
    named = [f"plan, line {place.removeprefix('plan:')}" if place.startswith("plan:") else place for place in ground.places]
    against = [(where, texts[place]) for where, place in zip(named, ground.places, strict=True) if place in texts]
    searched = [(f"no file {'has the path' if '/' in word else 'of the code holds'} {word}", "") for word in ground.search]
    return [*plan, *(each for each in against if each not in plan), *searched]
