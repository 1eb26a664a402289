"""The supply chain: the project's dependencies, and how safely they are declared."""

from counterproof.analysis.dependencies.examination import examine
from counterproof.analysis.dependencies.inventory import Dependencies, read_dependencies

__all__ = ["Dependencies", "examine", "read_dependencies"]
