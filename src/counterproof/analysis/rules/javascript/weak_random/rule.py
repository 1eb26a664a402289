"""Predictable numbers as secrets, in JavaScript and TypeScript.

## What it finds
`Math.random`, and what is made of it, as a token, password, code or key.

## Why it matters
The numbers can be worked out from a few of them, and with them the secret.

## What is safe
`crypto.randomBytes`, `crypto.randomUUID`, `crypto.randomInt`, `crypto.getRandomValues`.

## Limits
What a number is for is told by the names around it.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.outline.words import mentions, vocabulary
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Guess
from counterproof.model.severity import Confidence, Impact, Severity

_SECRETS = vocabulary("token secret password passwd pwd otp pin nonce salt apikey csrf session sid credential iv reset")


def _check(seen: SeenCall) -> Match | None:
    if mentions(seen.around(), _SECRETS):
        return seen.bad("Math.random", "makes a secret", Confidence.MEDIUM)
    return seen.good("Math.random", "no use for security is seen")


RULE = CallRule(
    RuleInfo(
        id="javascript-weak-random",
        title="Insecure randomness",
        dimension=Dimension.D7,
        kind="random",
        cwe=338,
        severity=Severity.MEDIUM,
        guesses=(Guess.NAME,),
        impact=Impact.PARTIAL,
        consequence="The secret can be worked out from others of its kind.",
        remedy="Use crypto.randomBytes or crypto.randomUUID.",
    ),
    calls=("Math.random",),
    check=_check,
    query="predictable random numbers",
)
