"""The interface of a tree whose results are stored. `Project` implements it, in a layer above this package."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from counterproof.model.survey import Language, SourceFile, Survey

if TYPE_CHECKING:
    from counterproof.analysis.syntax.ir import Module


class Tree(Protocol):
    """Files, and their modules."""

    survey: Survey
    checkpoint: Callable[[], None]
    at_the_end: list[Callable[[], None]]

    @cached_property
    def files(self) -> dict[str, SourceFile]: ...
    def of_language(self, language: Language) -> tuple[SourceFile, ...]: ...
    def module(self, path: str) -> "Module": ...
