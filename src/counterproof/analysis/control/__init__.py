"""Access control: who may call which endpoint, and whether business rules are enforced (D3, D9).

Invariant: an undecided guard is unknown and never a finding; a finding names the guard that comparable endpoints have and this
one lacks. Not handled here: data flow into sinks, settings, recognising guards.
"""

from counterproof.analysis.control.examine import examine
from counterproof.analysis.control.operations import resources

__all__ = ["examine", "resources"]
