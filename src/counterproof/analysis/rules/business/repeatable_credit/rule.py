"""Money given back without checking that it has not been before.

## What it finds
A handler that sets a status and then credits an account, where nothing makes sure that the status was another one before.

## Why it matters
The same request sent again gives the amount again.

## What is safe
A change of state from the one state that allows it, whose success decides whether the money is given.

## Limits
Constraints of the database that would refuse the second change are not seen.
"""

from counterproof.analysis.control.amounts import repeatable_credits
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="repeatable-credit",
        title="Refund or credit can be repeated",
        dimension=Dimension.D9,
        kind="amount",
        cwe=841,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The same request sent again gives the amount again.",
        remedy="Change the state only from the one state that allows it, and give the money only if that change happened.",
    ),
    lambda site: repeatable_credits(site.backward, site.operations),
)
