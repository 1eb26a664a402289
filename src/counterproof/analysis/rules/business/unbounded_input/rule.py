"""Work or memory whose size the request decides without a bound.

## What it finds
A number from the request that says how often a loop runs, how long the program sleeps, how many bytes it makes or how large a
picture or an array is.

## Why it matters
One request with a huge number keeps a worker busy or fills the memory, so that nobody else is served.

## What is safe
A comparison with the largest sensible value, `min(n, LIMIT)`, or a bound in the declaration (`Query(le=100)`).

## Limits
Page sizes of database queries and bounds in schemas of other files are not judged. Loops over what the request itself contains
are as long as the request and not reported. Of one function the first twelve unchecked numbers are walked back.
"""

from counterproof.analysis.control.extent import unbounded
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="unbounded-input",
        title="Unbounded resource consumption",
        dimension=Dimension.D9,
        kind="extent",
        guard="an upper bound",
        cwe=770,
        severity=Severity.MEDIUM,
        posture=True,
        impact=Impact.LOCAL,
        consequence="A request with a huge number keeps the process busy or fills its memory.",
        remedy="Reject numbers above a sensible maximum before using them.",
    ),
    lambda site: unbounded(site.backward, site.operations),
)
