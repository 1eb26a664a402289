"""The user's export of known vulnerabilities: which data an audit was given, fixed by their digest.

Not handled here: what the data say. They are read while dependencies are examined, and only what was found is journalled.
"""

from dataclasses import dataclass

KNOWN_VULNERABILITIES = "known vulnerabilities"
"""The kind of the searches and core items that record a comparison with such data (D10)."""


@dataclass(frozen=True, slots=True)
class VulnerabilityData:
    """`sha256` covers every file that is read; `judged_on` is the date from which the data's age is counted."""

    path: str
    sha256: str
    judged_on: str = ""
