"""The known-vulnerability data that the user exported and gave to an audit, identified by its digest.

Not handled here: the content of the data. It is read while dependencies are examined, and only matches are journalled.
"""

from dataclasses import dataclass

KNOWN_VULNERABILITIES = "known vulnerabilities"
"""The kind of the searches and items that record a comparison with known-vulnerability data (D10)."""


@dataclass(frozen=True, slots=True)
class VulnerabilityData:
    """`sha256` covers every file that is read; `judged_on` is the date from which the data's age is counted."""

    path: str
    sha256: str
    judged_on: str = ""
