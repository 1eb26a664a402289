"""Limits that are checked and used up in two steps.

## What it finds
A function that reads a counter, a stock or a balance, tests it, and writes the new value in a second statement, without a lock.

## Why it matters
Two requests at the same moment both pass the test, so that a voucher is used twice or a balance goes below zero.

## What is safe
One statement that tests and changes, a row lock (`FOR UPDATE`), or a lock around both steps.

## Limits
Locks and isolation levels that are set elsewhere are not seen.
"""

from counterproof.analysis.control.races import check_then_act
from counterproof.analysis.ruleset import Complexity, ControlRule, Impact, Severity

RULE = ControlRule(
    title="Race condition between check and use",
    kind="race",
    guard="a lock, or one statement for both",
    cwe=362,
    severity=Severity.MEDIUM,
    impact=Impact.LOCAL,
    consequence="Two requests at the same moment both pass the check, so that a limit is exceeded.",
    remedy="Check and change in one statement, or lock the row until the change is written.",
    complexity=Complexity.MULTI_STEP,
    check=lambda site: check_then_act(site.quotes, site.program),
)
