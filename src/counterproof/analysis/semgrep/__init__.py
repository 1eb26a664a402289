"""The baseline scan: Semgrep as a separate program, over copies of the surveyed files, with rules of our own.

`scan` is the whole of it; `find_semgrep` looks for the program and `local_rules` checks what the user named as rules. Semgrep
lives in an environment of its own because its pinned dependencies clash with ours. Judging hits does not belong here.
"""

from counterproof.analysis.semgrep.program import find_semgrep
from counterproof.analysis.semgrep.rules import local_rules
from counterproof.analysis.semgrep.scan import scan

__all__ = ("find_semgrep", "local_rules", "scan")
