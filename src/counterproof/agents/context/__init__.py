"""Builds what an agent is shown: typed sections in, one pack within a token budget out, for every role of audit, review and plan.

A role's own module makes `Section`s from the analysis. A section has our title, a category and pieces, each of which is included
or left out as a whole; `value` ranks it. `assembled` selects the most valuable pieces until the room, in tokens, is used,
restores their original order, and says what was left out and how to get it.

    sections = (
        Section("The repository:", Category.SCOPE, pieces, value=60, shared=True, rest="`glob` lists them"),
        Section("The unit in question:", Category.CODE, (Piece(text, shows=(Shown("app.py", 10, 40),)),), value=100),
    )
    pack = assembled(sections, Room(shared=12_000, task=20_000))
    talk = Talk(Asked(task.id, task.attempt, system, tools, schema, intro, closing), pack, marker)
    reply = await converse(channel, talk, part)

Sections with `shared` are the same for every task of a run and role: they are selected separately, within their own room,
and come first, in their own message, so that providers can cache the common prefix. The task comes last.

Invariant: the same sections and room give the same bytes, so a restart asks the same question; text from the target appears
only in data blocks, which `Talk` puts around every section with hidden characters shown. The module that makes a section redacts
its text (`analysis.secrets`). `Pack.shows` are the lines shown to the agent; a claim may cite them like lines that it read.
"""

from counterproof.agents.context.pack import Filled, Pack, Room, assembled
from counterproof.agents.context.sections import Piece, Section, Shown
from counterproof.agents.context.tokens import tokens

__all__ = ["Filled", "Pack", "Piece", "Room", "Section", "Shown", "assembled", "tokens"]
