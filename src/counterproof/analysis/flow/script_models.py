"""What known functions of JavaScript do to data: pass it on or return something else altogether.

Always holds: only what the language, Node.js and widely used packages document. Does not belong here: sanitisers of a rule.
"""

from counterproof.analysis.libraries import names
from counterproof.model.survey import Language

HARMLESS = frozenset(names("propagator", "none-call", Language.JAVASCRIPT))
"""Results that no outsider can shape, whatever goes in."""

PASSING = frozenset(names("propagator", "whole", Language.JAVASCRIPT))
"""Results that carry whatever went in."""

NORMALISING = frozenset(names("code", "path-normalisation", Language.JAVASCRIPT))
"""Calls whose result has no `..` left to climb with, so that its beginning can be compared."""

WORD_QUESTIONS = frozenset(names("code", "word-check", Language.JAVASCRIPT))
"""Questions whose answer yes leaves letters, digits and a few harmless signs."""

COLLECTION = "mongodb.Collection()"
"""A collection of documents, whoever gave it."""


def made_by(path: str, method: str) -> str:
    """The name of what a call outside the project returns."""
    if method == "collection" and (not path or path.startswith(("mongo", "monk"))):
        return COLLECTION
    return f"{path}()" if path else ""
