"""What a control rule looks at: the whole application with its operations, and the ways back from every sink."""

from dataclasses import dataclass

from counterproof.analysis.backward.derive import Backward
from counterproof.analysis.backward.program import Program
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.flow.quotes import Quotes


@dataclass(frozen=True, slots=True)
class Site:
    """One application."""

    backward: Backward
    operations: tuple[Operation, ...]

    @property
    def quotes(self) -> Quotes:
        return self.backward.quotes

    @property
    def program(self) -> Program:
        return self.backward.program
