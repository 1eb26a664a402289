"""Running the few foreign programs we use (ripgrep, git, semgrep) so that they can do no harm.

Invariant: an empty environment, no terminal, bounded time, memory and output, nothing readable beyond what the caller names
wherever the kernel can enforce that. `level()` says what is enforced here; nothing is claimed that was not tried. Not handled
here: what the programs are asked.
"""

from counterproof.analysis.confinement.program import find_program
from counterproof.analysis.confinement.sandbox import Bounds, Command, Cut, Ended, SandboxLevel, level, run

__all__ = ["Bounds", "Command", "Cut", "Ended", "SandboxLevel", "find_program", "level", "run"]
