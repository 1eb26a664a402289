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

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_CLIENTS = ("ldap.", "ldap3.")

RULE = FlowRule(
    RuleInfo(
        id="ldap-injection",
        title="LDAP search built from untrusted data",
        dimension=Dimension.D1,
        kind="ldap",
        cwe=90,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can change the search: bypass a login or read entries of the directory.",
        remedy="Escape every value with the library's escape_filter_chars before it goes into a filter.",
    ),
    sinks=(
        Sink("*.search", (0, 1, "search_base", "search_filter"), receiver_from=("ldap3.",), only_certain=True),
        *(
            Sink(f"*.{name}", (0, 2, "base", "filterstr"), receiver_from=_CLIENTS)
            for name in ("search_s", "search_ext", "search_ext_s", "search_st")
        ),
        Sink("*.paged_search", (0, 1, "search_base", "search_filter"), receiver_from=("ldap3.",)),
        Sink("ldap3.Reader", (2, "query")),
    ),
    sanitisers=(
        "ldap.filter.escape_filter_chars",
        "ldap.filter.filter_format",
        "ldap.dn.escape_dn_chars",
        "ldap3.utils.conv.escape_filter_chars",
        "ldap3.utils.dn.escape_rdn",
    ),
    poc="*)(uid=*",
)
