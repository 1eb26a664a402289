"""The small checker (A53, A55): does the source bear out what a proof, or a reason, says of it?

Invariant: it reads the text of the files and their grammars and nothing else. It shares no table, no summary and no
intermediate form with the hunters, so that a mistake of theirs is not repeated here; and it believes no prose. Not handled
here: finding weaknesses, wording them, or deciding what a severity is.
"""

from counterproof.analysis.facts.defences import refutes
from counterproof.analysis.facts.proofs import checked
from counterproof.analysis.facts.syntax_index import holds, index_of

__all__ = ["checked", "holds", "index_of", "refutes"]
