"""The supply chain: what the project depends on, and how safely it says so."""

from counterproof.analysis.dependencies.examination import examine
from counterproof.analysis.dependencies.inventory import Dependencies, read_dependencies

__all__ = ["Dependencies", "examine", "read_dependencies"]
