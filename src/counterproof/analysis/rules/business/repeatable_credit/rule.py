"""Money given back without checking that it has not been before.

## What it finds
A handler that sets a status and then credits an account, where nothing makes sure that the status was another one before.

## Why it matters
Sending the same request again pays the amount again.

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
        guard="a mark that it was credited",
        cwe=841,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="Sending the same request again pays the amount again.",
        remedy="Make the change conditional on the current state, and pay out only if that update succeeded.",
    ),
    lambda site: repeatable_credits(site.backward, site.operations),
)
