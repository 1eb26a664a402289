"""What a task is about: our words to the agent, and the places, hits, files and earlier rounds that it works on, as data."""

from collections.abc import Iterator

from counterproof.agents.context.sections import Piece, Section
from counterproof.agents.models import rendering
from counterproof.model.contract import AgentTask, Role
from counterproof.protocols.audit.modules import Offer
from counterproof.protocols.guard.isolation import Category


def intro(task: AgentTask, offers: tuple[Offer, ...]) -> tuple[str, ...]:
    """Who the agent is and what it may spend. `offers` are modules that are not shown already."""
    parts = [
        f"You are {task.agent_id}, a {task.role.value}, in round {task.round}.",
        "Dimensions: " + ", ".join(f"{each.value} {each.label}" for each in task.dimensions) + ".",
        "Languages: " + (", ".join(task.languages) or "whatever there is") + ".",
        f"Turns: {task.limits.turns}. Search and read calls: {task.limits.tool_calls}.",
    ]
    if task.method:
        parts.append(f"Method of this round: {task.method}.")
    if task.limits.findings:
        parts.append(f"Hand in at most {task.limits.findings} findings.")
    if offers:
        named = ", ".join(f"{each.name} ({each.confidence.value})" for each in offers)
        parts.append(f"Knowledge modules that fit, to be loaded with the tool `knowledge`, at most five: {named}.")
    return tuple(parts)


def closing(task: AgentTask) -> tuple[str, ...]:
    """Our last words before the marker."""
    return (f"Answer the first {task.steps} of the four steps for every place.",) if task.role is Role.VALIDATOR else ()


def matter_sections(task: AgentTask) -> Iterator[Section]:
    if task.findings and task.role is not Role.HUNTER:
        blind = task.role is Role.VALIDATOR
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
