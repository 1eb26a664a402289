"""One challenge explained in plain text: what it says, what it rests on, what research brought, how it went on.

For a terminal: everything that comes from the plan, the repository or an agent is made inert here.
"""

from counterproof.model.plan.challenge import Challenge
from counterproof.model.plan.report import PlanReport
from counterproof.reports.inert import MAX_TEXT, line
from counterproof.reports.plan.places import beside_each_other
from counterproof.reports.screen import wrapped


def explain(report: PlanReport, challenge: Challenge) -> str:
    """The whole explanation, ending in a newline."""
    parts = [
        f"{challenge.id}  {challenge.severity}  {challenge.status}  confidence {challenge.confidence}",
        f"raised by {challenge.origin.value} in iteration {challenge.iteration_introduced}",
        "",
        *_section("Claim", challenge.claim),
        *_section("Concern", challenge.concern),
        *_section("Failure scenario", challenge.failure_scenario),
        *_section("Alternative", challenge.alternative),
        *_listed("Rests on", _grounds(report, challenge)),
        *_listed("Context", [f"{each.location}: {each.relevance}" for each in report.contexts if _about(each, challenge)]),
        *_listed("Risk", [f"{each.risk} ({each.probability})" for each in report.risks if _about(each, challenge)]),
        *_listed("Research", _research(report, challenge)),
        *_listed("The user's answers", [each.text for each in report.responses if each.challenge_id == challenge.id]),
        *_listed("Course", _course(report, challenge)),
        *_section("Resolution", challenge.resolution),
        *(["Set aside: there were more challenges than the protocol allows.", ""] if challenge in report.set_aside else []),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def _about(each: object, challenge: Challenge) -> bool:
    return getattr(each, "generates_challenge", "") == challenge.id


def _grounds(report: PlanReport, challenge: Challenge) -> list[str]:
    return [f"{where}: {text}" if text else where for where, text in beside_each_other(report, challenge)]


def _research(report: PlanReport, challenge: Challenge) -> list[str]:
    return [f"{each.id} {each.resolution}: {each.finding}" for each in report.unknowns if each.affects_challenge == challenge.id]


def _course(report: PlanReport, challenge: Challenge) -> list[str]:
    """Its status at the end of each iteration."""
    states = ((state.iteration, each) for state in report.iterations for each in state.challenges if each.id == challenge.id)
    return [f"after iteration {number}: {each.status}" for number, each in states]


def _section(title: str, text: str) -> list[str]:
    return [title, *wrapped(text, "  ", "  ", MAX_TEXT), ""] if text.strip() else []


def _listed(title: str, items: list[str]) -> list[str]:
    rows = [each for text in items for each in wrapped(line(text, MAX_TEXT), "  - ", "    ", MAX_TEXT)]
    return [title, *rows, ""] if rows else []
