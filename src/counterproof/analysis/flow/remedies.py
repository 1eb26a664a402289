"""What to do about a weakness where the rule's general advice does not fit the line.

Always holds: the advice is read off the code at the sink; where that is not clear the rule's own advice stands.
"""

import re

from counterproof.analysis.ruleset import RuleInfo

_IDENTIFIER = re.compile(
    r"\b(?:ORDER\s+BY|GROUP\s+BY|FROM|JOIN|INTO|UPDATE|TABLE|COLUMN|DATABASE|SCHEMA)\s+[\"'`\[]?\s*"
    r"(?:[\"'`]{1,3}\s*(?:\+|%|\.format|,)|\$?\{|%\(?\w*\)?s)",
    re.IGNORECASE,
)
"""A keyword of SQL that a name follows, and then the place where the text is put together: `ORDER BY " + x`, `FROM {x}`."""
_FROM_A_LIST = "A column or table name cannot be a parameter: take it from a fixed list of names and refuse all others."


def remedy_for(info: RuleInfo, code: str) -> str:
    """The rule's remedy, or the one for an identifier where a value is put where SQL takes no parameter."""
    return _FROM_A_LIST if info.kind == "sql" and _IDENTIFIER.search(code) else info.remedy
