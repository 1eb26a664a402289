"""Control: who may call what, and whether the rules of the business hold (D3, D9).

Invariant: a guard that could not be decided is unknown and never a finding; a finding names what its neighbours have and it
has not. Not handled here: data flow into sinks, settings, how guards are recognised.
"""

from counterproof.analysis.control.examine import examine
from counterproof.analysis.control.matrix import administrators_only, permissions, resources

__all__ = ["administrators_only", "examine", "permissions", "resources"]
