"""The second witness: from sinks backwards to origins, apart from the forward engine that hunts (A37, A38).

Always holds: nothing here uses what the forward engine concluded; only syntax, resolution and rule data are shared. Does not
belong here: hunting for new code that no sink leads to, severities, agents.
"""

from counterproof.analysis.backward.baseline_hits import VerifiedHit, verify
from counterproof.analysis.backward.deep_dive import Dived, dive
from counterproof.analysis.backward.verdict import Judged, judge

__all__ = ["Dived", "Judged", "VerifiedHit", "dive", "judge", "verify"]
