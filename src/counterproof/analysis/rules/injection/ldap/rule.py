"""LDAP filter or name built from untrusted data.

## What it finds
Request data in the filter or the base of an LDAP search.

## Why it matters
The sender can change which entries match, and so log in as someone else or read the directory.

## What is safe
`ldap.filter.escape_filter_chars`, `ldap3.utils.conv.escape_filter_chars`, `escape_rdn` for names, values from a fixed list.

## Limits
LDAP calls through unknown wrappers are reported with lower confidence.
"""

from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    id="ldap-injection",
    title="LDAP injection",
    kind="ldap",
    cwe=90,
    severity=Severity.HIGH,
    consequence="The sender can change the search: bypass a login or read entries of the directory.",
    remedy="Escape every value with the library's escape_filter_chars before it goes into a filter.",
    sink="ldap",
    poc="*)(uid=*",
)
