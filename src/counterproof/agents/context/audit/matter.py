"""The task itself: our instructions, and as data the locations, hits, files and earlier rounds that it concerns."""

from collections.abc import Iterator

from counterproof.agents.context.sections import Piece, Section
from counterproof.agents.models import rendering
from counterproof.model.contract import AgentTask, Ask, Role
from counterproof.protocols.audit.modules import Offer
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.metering import BREADTH_PERCENT

PLAIN = (
    "Audit this program. Find its real, exploitable vulnerabilities, of any class and anywhere in the tree: what its maintainers "
    "would accept as a security advisory. One entry per root cause."
)
LEFT = (
    "Another context audited this program and stated what is listed below. The open items are the entry points, settings and "
    "components that no statement names. Go through them one by one, most exposed first: read what decides, compare siblings, "
    "and answer each in `judged` by its name, with the line that decides: `safe`, `finding` with a finding of its own, `stated` "
    "for what is stated elsewhere, or `unclear`. Whatever else you see is taken too; what was stated is not stated again. Name "
    "in `gaps` what you did not get to."
)
NARROW = (
    "Go through every place that the map or your own searches give, one by one: who can reach it, by the permission as it is "
    "written, what they control, what the check is and whether it holds. Compare siblings: two ways to one operation must ask "
    "for the same right. Findings of any class are taken. Name in `gaps` what you did not get to."
)
QUESTIONS = (
    "Each claim below is an open question that a program's analysis left: is it true, false, or something else? Answer each in "
    "`judgements` by its id: `confirmed`, `rejected` with the line that makes it false, or `downgraded`. Nothing is to be added."
)


def intro(task: AgentTask, offers: tuple[Offer, ...]) -> tuple[str, ...]:
    """The agent's role and limits. `offers` are modules that are not shown already."""
    parts = [f"You are {task.agent_id}, a {task.role.value}, in round {task.round}.", *_asked(task)]
    breadth = task.limits.tool_calls * BREADTH_PERCENT // 100
    rest = "the rest for traces, callers and reading on"
    calls = f"{task.limits.tool_calls}, {breadth} of them for searches and first looks, {rest}"
    parts.append(f"Turns: {task.limits.turns}. Search and read calls: {calls}.")
    if task.method:
        parts.append(f"Method of this round: {task.method}.")
    if task.limits.findings:
        parts.append(f"Hand in at most {task.limits.findings} findings.")
    if offers:
        named = ", ".join(f"{each.name} ({each.confidence.value})" for each in offers)
        parts.append(f"Knowledge modules that fit, to be loaded with the tool `knowledge`, at most five: {named}.")
    return tuple(parts)


def _asked(task: AgentTask) -> Iterator[str]:
    """The question. Dimensions and languages are no restriction: findings anywhere are accepted (A61)."""
    match task.ask:
        case Ask.PLAIN:
            yield PLAIN
        case Ask.LEFT:
            yield LEFT
        case Ask.NARROW:
            where = f" in the {len(task.scope)} files listed below" if task.scope else ""
            yield f"Your task: {task.topic}{where}. {NARROW}"
        case Ask.QUESTIONS:
            yield QUESTIONS
        case Ask.ASSIGNED:
            if task.role is Role.VALIDATOR:
                return
            yield "Dimensions: " + ", ".join(f"{each.value} {each.label}" for each in task.dimensions) + "."
            yield "Languages: " + (", ".join(task.languages) or "whatever there is") + "."


def closing(task: AgentTask) -> tuple[str, ...]:
    """Our last lines before the marker."""
    return (f"Answer the first {task.steps} of the four steps for every place.",) if task.role is Role.VALIDATOR else ()


def matter_sections(task: AgentTask) -> Iterator[Section]:
    if task.stated:
        yield Section("Stated already, a line each:", Category.CLAIMS, tuple(map(Piece, task.stated)), 190, 4_000)
    if task.open_items:
        pieces = tuple(Piece(f"{each.name}: {each.kind.value}, {each.text} at {each.at}") for each in task.open_items)
        yield Section("Open items, to be answered by their names:", Category.SCOPE, pieces, 195)
    if task.scope:
        yield Section(
            "The files of your task:", Category.SCOPE, tuple(map(Piece, task.scope)), 180, 6_000, rest="`glob` lists files"
        )
    if task.findings and task.role is not Role.HUNTER:
        blind = task.role is Role.VALIDATOR and task.ask is not Ask.QUESTIONS
        pieces = tuple(Piece(rendering.places((each,)) if blind else rendering.claims((each,))) for each in task.findings)
        yield Section("The places in question:" if blind else "The findings in question:", Category.CLAIMS, pieces, 200)
    if task.hits:
        pieces = tuple(Piece(rendering.leads((each,))) for each in task.hits)
        asked = task.role is Role.HIT_VERIFIER
        title = "The hits in question:" if asked else "Leads of a pattern scanner, not verdicts:"
        yield Section(title, Category.LEADS, pieces, 200 if asked else 75)
    if task.files:
        yield Section("Files to read:", Category.SCOPE, tuple(map(Piece, task.files)), 90, 3_000, rest="`glob` lists files")
    if task.context is not None:
        yield Section("What earlier rounds hand on:", Category.CONTEXT, (Piece(rendering.context(task.context)),), 150)
