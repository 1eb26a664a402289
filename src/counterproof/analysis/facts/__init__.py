"""The independent checker (A53, A55): does the source support the facts of a proof or reason?

Invariant: it reads only the text of the files and their grammars. It shares no table, summary or intermediate form with the
analysers, so that it does not repeat their mistakes; and it believes no prose. Not handled here: finding weaknesses, wording,
severities.
"""

from counterproof.analysis.facts.defences import refutes
from counterproof.analysis.facts.proofs import checked
from counterproof.analysis.facts.syntax_index import holds, index_of

__all__ = ["checked", "holds", "index_of", "refutes"]
