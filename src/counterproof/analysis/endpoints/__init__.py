"""Entry points: where outside input enters the code, and whether the caller is checked there (A9).

Invariant: an entry point names a line that exists; an undecided guard is unknown, never absent. Not handled here: what handlers
do with their input.
"""

from counterproof.analysis.endpoints.find import entry_points, entry_points_in
from counterproof.analysis.endpoints.public_api import public_functions

__all__ = ["entry_points", "entry_points_in", "public_functions"]
