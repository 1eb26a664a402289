"""Entries that ask nobody who is calling, in an application that knows its callers.

## What it finds
Handlers without a guard that change what is stored, or speak of accounts, orders, payments and the like, in an application where
somebody can log in or another handler has a guard. All of one application are one point of posture with all its places.

## Why it matters
Whoever knows or guesses the address reads or changes it without being known to the application.

## What is safe
A guard; a signature, a token or a secret that the handler asks for itself; what is open by nature, such as a login, a contact
form or a registration.

## Limits
What is open may be meant to be, and a guard may stand in front of the application. Where the address is for administrators, or
most others that change something are guarded, `missing-authentication` says so instead.
"""

from counterproof.analysis.ruleset import ControlRule, Impact, Severity

RULE = ControlRule(
    title="Entries that ask nobody who is calling",
    kind="login",
    guard="a login",
    cwe=306,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="Anyone can call it, without being known to the application.",
    remedy="Decide for each whether anybody may call it, and ask for a login where not.",
    posture=True,
    check=lambda site: (),
)
