"""Certificates are not checked, in JavaScript and TypeScript.

## What it finds
`rejectUnauthorized: false` and `strictSSL: false` in the options of a request or an agent.

## Why it matters
Whoever sits on the way can answer in the other side's name and read everything.

## What is safe
The default; a certificate authority of one's own in `ca`.

## Limits
Settings of the environment outside the code are not seen.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

_CLIENTS = names("code", "tls-client", Language.JAVASCRIPT)
_PLACES = ((), ("agentOptions",), ("ssl",), ("tls",), ("connect",), ("https",), ("tlsOptions",))


def _check(seen: SeenCall) -> Match | None:
    for position in (0, 1, 2):
        for place in _PLACES:
            for name in ("rejectUnauthorized", "strictSSL"):
                given = seen.option(position, *place, name)
                if given is not None and given.const is False:
                    return seen.bad(seen.name, f"{name} is false")
    return seen.good(seen.name, "certificates are checked") if seen.name in ("https.Agent", "tls.connect") else None


RULE = CallRule(
    RuleInfo(
        id="javascript-tls-verification",
        title="TLS certificate validation disabled",
        dimension=Dimension.D7,
        kind="tls",
        cwe=295,
        severity=Severity.MEDIUM,
        impact=Impact.PARTIAL,
        consequence="Anyone on the network path can read and change what is sent.",
        remedy="Leave verification on; pass your certificate authority as ca.",
    ),
    calls=_CLIENTS,
    check=_check,
    query="options of encrypted connections",
)
