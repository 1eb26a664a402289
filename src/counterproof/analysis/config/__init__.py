"""Check rules: values and calls that can be judged where they stand, without following data (D2, D3, D7, D8).

Invariant: whatever a rule looks at becomes a judged item, good or bad; a finding quotes its line. Not handled here: the rules
themselves, and anything that needs data flow.
"""

from counterproof.analysis.config.examine import examine

__all__ = ["examine"]
