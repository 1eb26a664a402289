"""The sections shown to the roles of an audit: the project according to reconnaissance, the task's subject, and its code.

Invariant: no words of other agents (R9); a validator sees location and kind, never the claim (A53); shared sections are the
same for every task of a run with the same form of question.
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
"""For the plain question: code that matters for the whole question."""
_OWN = Room(12_000, 20_000)
"""For the other tasks: the code of their own locations."""
_FEW, _EACH, _ASKED = 2_000, 700, 400
"""What a validator is shown: so much, and so much more for each place or open question; the rest it asks for."""


def room_of(task: AgentTask, toolbox: WitnessedTools) -> Room:
    """The size of the opening if no budget is tighter. A second attempt at the whole source gets half."""
    if task.whole:
        room = source_room(toolbox)
        return Room(room.shared // task.attempt, room.task)
    if task.role is Role.VALIDATOR:
        each = _ASKED if task.ask is Ask.QUESTIONS else _EACH
        return Room(_OWN.shared, min(_OWN.task, _FEW + each * len(task.findings)))
    return _WIDE if task.ask is Ask.PLAIN else _OWN


def sections_of(task: AgentTask, toolbox: WitnessedTools) -> tuple[Section, ...]:
    """All sections that could be shown, the user's context first."""
    return (*user_section(task.user), *_role_sections(task, toolbox))


def _role_sections(task: AgentTask, toolbox: WitnessedTools) -> Iterator[Section]:
    """Judges get the code that decides, not the whole opening; hunters get the map, and code if the task is about certain
    code. Knowledge modules and the authors' rules go to tasks about dimensions."""
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
