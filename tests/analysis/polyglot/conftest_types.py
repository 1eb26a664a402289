"""The types of this folder's fixtures, for tests to name."""

from collections.abc import Callable

from counterproof.analysis.project import Project

Shown = Callable[[dict[str, str]], list[str]]
ProjectMaker = Callable[[dict[str, str]], Project]
