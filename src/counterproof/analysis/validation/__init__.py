"""The second reading of findings and baseline hits (A35, A37, A38, A53).

An analyst's finding is validated by the checker, which re-reads every fact of its proof and shares no table with the hunters.
A claim of anybody else, and a baseline hit, is held against the record of the analysts: what they report at the place, and
where data was followed to every origin without harm.

Invariant: a finder's flow and steps are not believed; what could not be settled is partial, never a pass. Not handled here:
severities, looking for weaknesses.
"""

from counterproof.analysis.validation.findings import judge_finding
from counterproof.analysis.validation.hits import judge_hit

__all__ = ["judge_finding", "judge_hit"]
