"""What an agent gets to see: typed sections in, one budgeted pack out, for every role of audit, review and plan.

A role's own module makes `Section`s from what analysis knows. A section has our title, a category and pieces, each of which
stands or falls whole; `value` says what it is worth. `assembled` takes the most valuable pieces first, in tokens, until the room
is used, puts them back into the order in which they were given, and says what was left out and how to get it.

    sections = (
        Section("The repository:", Category.SCOPE, pieces, value=60, shared=True, rest="`glob` lists them"),
        Section("The unit in question:", Category.CODE, (Piece(text, shows=(Shown("app.py", 10, 40),)),), value=100),
    )
    pack = assembled(sections, Room(shared=12_000, task=20_000))
    talk = Talk(Asked(task.id, task.attempt, system, tools, schema, intro, closing), pack, marker)
    reply = await converse(channel, talk, part)

Sections with `shared` are the same for every task of a run and role: they are chosen apart from the rest, in a room of their own,
and go first, in a message of their own, so that providers find the same prefix again in their cache. The task comes last.

Invariant: the same sections and room give the same bytes, so a restart asks the same question; text of the target stands only
in data blocks, which `Talk` puts around every section with hidden characters shown. Whoever makes a section has redacted its
text (`analysis.secrets`). `Pack.shows` are the lines that the agent was shown; a claim may cite them like lines that it read.
"""

from counterproof.agents.context.pack import Filled, Pack, Room, assembled
from counterproof.agents.context.sections import Piece, Section, Shown
from counterproof.agents.context.tokens import tokens

__all__ = ["Filled", "Pack", "Piece", "Room", "Section", "Shown", "assembled", "tokens"]
