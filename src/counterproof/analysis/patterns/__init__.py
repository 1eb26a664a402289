"""Regular expressions of the target, judged without running them: how many ways there are to match one text.

Invariant: nothing is matched; sizes and steps are bounded, and a pattern that is not understood counts as harmless. Not
handled here: where patterns are used, and what reaches them.
"""

from counterproof.analysis.patterns.ambiguity import Ambiguity as Ambiguity
from counterproof.analysis.patterns.ambiguity import ambiguity as ambiguity
