"""Amounts from the request used without checking their sign or size.

## What it finds
A quantity, price or sum from the request that is added to a cart, a stock or a balance without any bound. In FastAPI also one
that the model of the body declares as a bare number and that is calculated with.

## Why it matters
A negative or huge number turns a price or a balance to the sender's favour.

## What is safe
A comparison with the smallest and largest sensible value, a clamp, or a schema with bounds; prices from the shop's own data.

## Limits
Bounds that the database enforces are not seen.
"""

from itertools import chain

from counterproof.analysis.control.amounts import unchecked_amounts
from counterproof.analysis.control.declared_amounts import unchecked_fields
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="unchecked-amount",
        title="Amount not validated",
        dimension=Dimension.D9,
        kind="amount",
        guard="a lower bound",
        cwe=840,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="A negative or huge amount shifts a price, stock or balance in the sender's favour.",
        remedy="Reject amounts outside a sensible range, and take prices from your own data.",
    ),
    lambda site: chain(
        unchecked_amounts(site.backward, site.operations), unchecked_fields(site.quotes, site.program, site.operations)
    ),
)
