"""Request to an address that the sender chooses, in JavaScript and TypeScript.

## What it finds
Request data as the address, or the host, of a request that the server sends itself.

## Why it matters
The sender reaches what only the server can reach: internal services, metadata of the cloud, the machine itself.

## What is safe
A fixed host with the data only in the path or the query; a check of the host against a fixed list.

## Limits
Addresses that are resolved to an internal machine only later are not seen.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-ssrf",
        title="Server-side request forgery (SSRF)",
        dimension=Dimension.D6,
        kind="ssrf",
        cwe=918,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can make the server request internal addresses.",
        remedy="Take the host from the code, or check it against a fixed list before the request is sent.",
    ),
    sinks=sinks("http-request", Language.JAVASCRIPT),
    sanitisers=("host check", "fixed host"),
    poc="http://169.254.169.254/latest/meta-data/",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
