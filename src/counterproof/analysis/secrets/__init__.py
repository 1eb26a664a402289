"""Secrets in the source: finding them, and redacting them in all output.

Every report needs redaction; the search is imported only when used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterproof.analysis.examination import Examination
    from counterproof.analysis.project import Project


def examine(project: "Project", only: frozenset[str] | None = None) -> "Examination":
    """Find hard-coded passwords, keys and tokens in every file of the survey, or only in the files in `only`."""
    from counterproof.analysis.secrets import examination

    return examination.examine(project, only)
