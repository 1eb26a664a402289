"""Secrets in the source: finding them, and keeping them out of everything that is shown.

Every report needs the second; what finds them is imported when they are looked for.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterproof.analysis.examination import Examination
    from counterproof.analysis.project import Project


def examine(project: "Project", only: frozenset[str] | None = None) -> "Examination":
    """Hard-coded passwords, keys and tokens in every file of the survey; `only` leaves all other files out."""
    from counterproof.analysis.secrets import examination

    return examination.examine(project, only)
