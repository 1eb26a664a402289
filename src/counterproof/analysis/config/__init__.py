"""Check rules: values and calls that can be judged locally, without data flow (D2, D3, D7, D8).

Invariant: everything a rule examines becomes a judged item, good or bad; a finding quotes its line. Not handled here: the rules
themselves, and data flow.
"""

from counterproof.analysis.config.examine import examine

__all__ = ["examine"]
