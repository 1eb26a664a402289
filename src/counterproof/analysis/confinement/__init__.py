"""Running external programs (ripgrep, git, semgrep) in a sandbox.

Invariant: an empty environment, no terminal, bounded time, memory and output, and read access only to the paths that the caller
names, where the kernel can enforce it. `level()` reports the protection in force; only tested protection is reported. Not handled
here: use of the programs.
"""

from counterproof.analysis.confinement.program import find_program
from counterproof.analysis.confinement.sandbox import Bounds, Command, Cut, Ended, SandboxLevel, level, run

__all__ = ["Bounds", "Command", "Cut", "Ended", "SandboxLevel", "find_program", "level", "run"]
