"""What the roles of an audit get to see: the project as reconnaissance knows it, the matter of the task, and its code.

Always holds: nothing of another agent's words (R9); a validator sees place and kind, never the claim (A53); what is shared is the
same for every task of a run that is asked in the same shape.
"""

from counterproof.agents.context.audit.code import code_sections, one_language
from counterproof.agents.context.audit.matter import closing, intro, matter_sections
from counterproof.agents.context.audit.project import MATTERS, project_sections
from counterproof.agents.context.audit.reference import conventions, knowledge
from counterproof.agents.context.audit.source import source_room, source_sections
from counterproof.agents.context.pack import Room
from counterproof.agents.context.sections import Section
from counterproof.model.contract import AgentTask, Role
from counterproof.toolbox.witnessed import WitnessedTools

__all__ = ["closing", "intro", "room_of", "sections_of"]


_WIDE = Room(28_000, 8_000)
"""Hunters of one language are shown the same code, whatever their dimensions."""
_OWN = Room(12_000, 28_000)
"""The other roles are shown the code of their own places."""


def room_of(task: AgentTask, toolbox: WitnessedTools) -> Room:
    """What an agent is shown at the beginning where no budget is tighter. A second attempt at the whole source has half of it."""
    if task.whole:
        room = source_room(toolbox)
        return Room(room.shared // task.attempt, room.task)
    return _WIDE if task.role is Role.HUNTER and one_language(toolbox) else _OWN


def sections_of(task: AgentTask, toolbox: WitnessedTools) -> tuple[Section, ...]:
    """Everything that could be shown. Who judges a place gets what decides there, not the whole opening."""
    if task.role in (Role.VALIDATOR, Role.HIT_VERIFIER):
        return (*project_sections(toolbox)[:2], *matter_sections(task), *code_sections(task, toolbox))
    if task.whole:
        project = [each for each in project_sections(toolbox) if not each.title.startswith(MATTERS)]
        return (*project, *source_sections(toolbox), *matter_sections(task))
    return (
        *project_sections(toolbox),
        *knowledge(toolbox),
        *conventions(toolbox),
        *matter_sections(task),
        *code_sections(task, toolbox),
    )
