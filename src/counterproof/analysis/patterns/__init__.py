"""Regular expressions of the target, analysed without running them: the number of ways to match one text.

Invariant: nothing is matched; sizes and steps are bounded, and a pattern that is not understood counts as harmless. Not handled
here: where patterns are used, and with which data.
"""

from counterproof.analysis.patterns.ambiguity import Ambiguity as Ambiguity
from counterproof.analysis.patterns.ambiguity import ambiguity as ambiguity
