"""Known vulnerabilities from the user's own export in the OSV format."""

from counterproof.analysis.dependencies.osv.archive import UnreadableData, digest_of
from counterproof.analysis.dependencies.osv.matches import Vulnerable, matches
from counterproof.analysis.dependencies.osv.selection import Selection, select

__all__ = ["Selection", "UnreadableData", "Vulnerable", "digest_of", "matches", "select"]
