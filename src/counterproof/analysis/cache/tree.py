"""What keeping needs of the tree whose results are kept. The project is one; it stands above this package."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from counterproof.model.survey import Language, SourceFile, Survey

if TYPE_CHECKING:
    from counterproof.analysis.syntax.ir import Module


class Tree(Protocol):
    """Files, and the modules that they are."""

    survey: Survey
    checkpoint: Callable[[], None]
    at_the_end: list[Callable[[], None]]

    @cached_property
    def files(self) -> dict[str, SourceFile]: ...
    def of_language(self, language: Language) -> tuple[SourceFile, ...]: ...
    def module(self, path: str) -> "Module": ...
