"""Our own lines of a task: the specialist's role, its question, and its limits. They contain no text from the target."""

from counterproof.agents import tool_table
from counterproof.agents.context.review import own
from counterproof.model.review.contract import ReviewTask, Work
from counterproof.model.review.profile import Profile, Specialist
from counterproof.protocols.review import looks
from counterproof.toolbox.review_bench import ReviewBench

CRITIQUE = (
    "criticise your own findings. You are shown them as the program keeps them with their code, and what it made of your last"
    " result. For each, look at its lines again and try to refute it: is there a guard, a caller or a type that"
    " rules it out, is the place right, is the severity earned? Look up what you did not look up before. Hand in the findings"
    " that survive, corrected where needed, and leave out the rest. Add what you overlooked only if you can show it"
)
"""The purpose of iterations from the second on (R38)."""
AGAIN = (
    "find problems in what is under review once more: your last result held none that counts. Look at what you have not seen,"
    " above all at callers and at removed lines, and hand in what you can show, or say again that there is nothing"
)
_DOES = {
    Work.REFINE: "find problems in what is under review",
    Work.CHALLENGE: "take positions on findings of the other specialists",
    Work.DEFEND: "answer challenges of your own findings",
    Work.ADVOCATE: "try to refute what a single specialist found; you have no vote",
}


def intro(task: ReviewTask, bench: ReviewBench) -> tuple[str, ...]:
    """The task in our words."""
    me = task.specialist
    last = ", the last: new challenges are not taken any more, and a position without a line is a retraction" if task.last else ""
    given = ", ".join(f"{each.tool} {each.calls}" for each in looks.allowances(task.work))
    lines = [
        f"You are {task.agent_id}, the specialist {me.code} ({me.title}). Your task: {_doing(task)}.",
        f"Iteration {task.iteration}{last if task.work is not Work.REFINE else ''}.",
        *_domains(me, bench.profile),
        f"Calls: {given}; {tool_table.counting(looks.allowances(task.work))}.",
    ]
    if bench.profile.verdicts and task.work is Work.REFINE:
        lines.append("Give every document a verdict: Approve, Revise or Reject.")
    return (*lines, *(f"Take care: {each}" for each in task.warnings))


def _domains(me: Specialist, profile: Profile) -> list[str]:
    """A specialist's domains, unless it has all. The contract lists the domains of the review."""
    mine = [each for each in profile.domains if me.knows(each)]
    if not mine or len(mine) == len(profile.domains):
        return []
    return [f"Your domains: {', '.join(me.primary)}; beside them: {', '.join(me.adjacent) or 'none'}."]


def _doing(task: ReviewTask) -> str:
    if task.work is Work.REFINE and task.iteration > 1:
        return CRITIQUE if own(task) else AGAIN
    return _DOES[task.work]
