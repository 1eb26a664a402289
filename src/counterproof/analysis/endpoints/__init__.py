"""Entry points: how the outside gets into the code, and whether something checks who is calling (A9).

Invariant: an entry point names a line that exists; a guard that could not be decided is unknown, never absent. Not handled
here: what handlers do with their input.
"""

from counterproof.analysis.endpoints.find import entry_points, entry_points_in
from counterproof.analysis.endpoints.public_api import public_functions

__all__ = ["entry_points", "entry_points_in", "public_functions"]
