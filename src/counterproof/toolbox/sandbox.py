"""Confinement of external programs for the layers above. Implemented in `analysis.confinement`."""

from counterproof.analysis.confinement import Bounds, Command, Cut, Ended, SandboxLevel, level, run

__all__ = ["Bounds", "Command", "Cut", "Ended", "SandboxLevel", "level", "run"]
