"""What is wrong with the sources that a model names, in words for it to mend, with what stands there (P11, P19, P20).

Always: advice only; whether a source counts is decided by the engine from the same checks.
"""

from counterproof.model.plan.challenge import Weight
from counterproof.model.plan.contract import PlanReply
from counterproof.model.plan.research import quoted, verified
from counterproof.toolbox.plan_tools import PlanTools

MAX_PROBLEMS = 10


def problems(tools: PlanTools, reply: PlanReply) -> tuple[tuple[str, ...], str]:
    """The problems in our words, and the text of the sources that they speak of."""
    found: list[str] = []
    standing: list[str] = []
    checks = {each.source: each for each in tools.checks(reply)}
    for source, check in checks.items():
        if not check.found:
            found.append(f"the source {source[:200]!r} does not count: {check.why}; name a place that is there, or leave it out")
    for each in reply.unknowns:
        parts = verified(each.finding)
        check = checks.get(parts.source) if parts else None
        if parts and check and check.found and quoted(parts.finding) not in check.quoted:
            found.append(f"{each.id}: the quote does not stand at {parts.source[:200]!r}; quote words that stand there, exactly")
            standing.append(f"{parts.source}: {tools.line_at(parts.source)[:400]}")
    placed = {each.challenge_id for each in reply.grounds if each.places}
    for each in reply.challenges:
        if each.severity is Weight.BLOCKING and each.id not in placed:
            found.append(f"{each.id} is BLOCKING without a place: name a `path:line` in `places`, or it counts as SIGNIFICANT")
    return tuple(found[:MAX_PROBLEMS]), "\n".join(standing[:MAX_PROBLEMS])
