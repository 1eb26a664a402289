"""Guards that a header of the request's own can switch off.

## What it finds
A check of the caller's rights that is skipped when a header of the request has a certain value.

## Why it matters
Headers are chosen by the sender. Whoever adds this one gets past the check.

## What is safe
Deciding by the session or a verified token alone.

## Limits
Whether something in front of the application removes the header is not visible in the code.
"""

from counterproof.analysis.control.bypass import spoofable_guards
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="spoofable-guard",
        title="Guard bypassed by a request header",
        dimension=Dimension.D3,
        kind="login",
        cwe=290,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="Anyone who adds the header to a request gets past the check of who they are.",
        remedy="Decide by the caller's session or token alone; strip such headers at the proxy.",
    ),
    lambda site: spoofable_guards(site.quotes, site.operations),
)
