"""What the roles of an audit get to see: the project as reconnaissance knows it, the matter of the task, and its code.

Invariant: nothing of another agent's words (R9); a validator sees place and kind, never the claim (A53); what is shared is the
same for every task of a run that is asked in the same shape.
"""

from collections.abc import Iterator

from counterproof.agents.context.audit.code import code_sections
from counterproof.agents.context.audit.matter import closing, intro, matter_sections
from counterproof.agents.context.audit.project import MATTERS, project_sections
from counterproof.agents.context.audit.reference import conventions, knowledge
from counterproof.agents.context.audit.source import source_room, source_sections
from counterproof.agents.context.audit.surface import acting_places, surface_sections
from counterproof.agents.context.pack import Room
from counterproof.agents.context.sections import Section, user_section
from counterproof.model.contract import AgentTask, Ask, Role
from counterproof.toolbox.witnessed import WitnessedTools

__all__ = ["closing", "intro", "room_of", "sections_of"]

_WIDE = Room(28_000, 8_000)
"""The plain question comes with code that matters for all of it."""
_OWN = Room(12_000, 20_000)
"""The other tasks are shown the code of their own places."""


def room_of(task: AgentTask, toolbox: WitnessedTools) -> Room:
    """What an agent is shown at the beginning where no budget is tighter. A second attempt at the whole source has half of it."""
    if task.whole:
        room = source_room(toolbox)
        return Room(room.shared // task.attempt, room.task)
    return _WIDE if task.ask is Ask.PLAIN else _OWN


def sections_of(task: AgentTask, toolbox: WitnessedTools) -> tuple[Section, ...]:
    """Everything that could be shown, the user's word first."""
    return (*user_section(task.user), *_role_sections(task, toolbox))


def _role_sections(task: AgentTask, toolbox: WitnessedTools) -> Iterator[Section]:
    """Who judges a place gets what decides there, not the whole opening; who hunts gets the map, and code where the task is about
    certain code. Modules and the authors' rules go to tasks that are about dimensions."""
    project = project_sections(toolbox)
    if task.role in (Role.VALIDATOR, Role.HIT_VERIFIER):
        yield from (project[0], *matter_sections(task), *code_sections(task, toolbox))
        return
    yield project[0]
    yield from surface_sections(toolbox)
    if task.ask is not Ask.LEFT:
        yield from (each for each in project[1:] if not (task.whole and each.title.startswith(MATTERS)))
    if task.whole:
        yield from source_sections(toolbox, task.hunt)
    elif task.ask is Ask.ASSIGNED:
        yield from (*knowledge(toolbox), *conventions(toolbox))
    yield from matter_sections(task)
    if task.ask is Ask.NARROW:
        yield acting_places(toolbox, task.scope)
    elif not task.whole and (task.role is not Role.HUNTER or task.ask is not Ask.ASSIGNED):
        yield from code_sections(task, toolbox)
