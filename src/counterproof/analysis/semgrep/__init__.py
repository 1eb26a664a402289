"""The baseline scan: Semgrep as a separate program, over copies of the surveyed files, with our own rules.

`scan` is the entry point; `find_semgrep` locates the program and `local_rules` validates the user's rules. Semgrep is in a
separate environment because its pinned dependencies conflict with ours. Not handled here: judging hits.
"""

from counterproof.analysis.semgrep.program import find_semgrep
from counterproof.analysis.semgrep.rules import local_rules
from counterproof.analysis.semgrep.scan import scan

__all__ = ("find_semgrep", "local_rules", "scan")
