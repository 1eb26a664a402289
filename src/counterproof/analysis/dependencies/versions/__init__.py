"""Version comparison by the rules of each ecosystem."""

from counterproof.analysis.dependencies.versions.ordering import MAX_VERSION, compare, is_version

__all__ = ["MAX_VERSION", "compare", "is_version"]
