"""What the roles of an audit get to see: the project as reconnaissance knows it, the matter of the task, and its code.

Always holds: nothing of another agent's words (R9); a validator sees place and kind, never the claim (A53); what the authors
wrote about their code stays out of a hunter's first pass (X2); what is shared is the same for every task of a run and role.
"""

from counterproof.agents.context.audit.code import code_sections
from counterproof.agents.context.audit.matter import closing, intro, matter_sections
from counterproof.agents.context.audit.project import project_sections
from counterproof.agents.context.audit.reference import conventions, knowledge
from counterproof.agents.context.sections import Section
from counterproof.model.contract import AgentTask
from counterproof.toolbox.witnessed import WitnessedTools

__all__ = ["closing", "intro", "sections_of"]


def sections_of(task: AgentTask, toolbox: WitnessedTools) -> tuple[Section, ...]:
    """Everything that could be shown."""
    return (
        *project_sections(toolbox),
        *conventions(task, toolbox),
        *matter_sections(task),
        *knowledge(toolbox),
        *code_sections(task, toolbox),
    )
