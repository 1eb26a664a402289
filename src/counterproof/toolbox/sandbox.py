"""The confinement of foreign programs, as the layers above name it. The work is done in `analysis.confinement`."""

from counterproof.analysis.confinement import Bounds, Command, Cut, Ended, SandboxLevel, level, run

__all__ = ["Bounds", "Command", "Cut", "Ended", "SandboxLevel", "level", "run"]
