"""LDAP filter or name built from untrusted data.

## What it finds
Request data in the filter or the base of an LDAP search.

## Why it matters
The sender can change which entries match: log in as someone else or read the directory.

## What is safe
`ldap.filter.escape_filter_chars`, `ldap3.utils.conv.escape_filter_chars`, `escape_rdn` for names, values from a fixed list.

## Limits
Directory access through unknown wrappers is reported with lower confidence.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    id="ldap-injection",
    title="LDAP injection",
    kind="ldap",
    cwe=90,
    severity=Severity.HIGH,
    consequence="The sender can change the search: bypass a login or read entries of the directory.",
    remedy="Escape every value with the library's escape_filter_chars before it goes into a filter.",
    sinks=sinks("ldap"),
    sanitisers=(*names("sanitiser", "ldap"),),
    poc="*)(uid=*",
)
