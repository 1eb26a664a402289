"""Results of earlier runs, found again by what went into them.

Invariant: a result is used only if every file that it may depend on, the rules and the program are the same, so that a report
does not tell whether the cache was cold or warm; an entry that is damaged, of another version or not signed with the user's
key is passed over and the work is done anew. Not handled here: anything that depends on the clock, on a run or on a model.
"""

from counterproof.analysis.cache.keys import digest_of
from counterproof.analysis.cache.results import Results, receipt, results_in
from counterproof.analysis.cache.store import MAX_TOTAL, Kept, Store
from counterproof.analysis.cache.trust import KEY, SWITCH, cache_is_off, why_off

__all__ = [
    "KEY", "MAX_TOTAL", "SWITCH", "Kept", "Results", "Store", "cache_is_off", "digest_of", "receipt", "results_in", "why_off",
]  # fmt: skip
