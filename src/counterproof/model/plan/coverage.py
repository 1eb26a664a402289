"""How much of a plan was checked against the repository without a model (P22). Invariant: a statement is an item, a table row,
a paragraph or a code block. A statement that names something in the code is checkable."""

from dataclasses import dataclass

from counterproof.model.counting import counted

MAX_LINES = 12


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts of the plan's checkable statements. `unread` are the unchecked lines of prose, `unparsed` the first lines of
    unchecked blocks; `contradicted` counts contradictions of the plan, `silent` the statements with nothing to check."""

    statements: int = 0
    unread: tuple[int, ...] = ()
    unparsed: tuple[int, ...] = ()
    contradicted: int = 0
    silent: int = 0

    @property
    def checked(self) -> int:
        return self.statements - len(self.unread) - len(self.unparsed)

    @property
    def total(self) -> int:
        return self.statements + self.silent

    @property
    def most_points(self) -> int:
        """The highest score out of 10 that the checked share of all statements allows, at least 1."""
        return max(1, 10 * self.checked // self.total) if self.total else 10

    @property
    def said(self) -> str:
        """The count in words, with the lines that were left out."""
        head = f"{self.checked} of {counted(self.statements, 'statement')} checked"
        left = [f"{counted(len(self.unread), 'line')} of prose ({_listed(self.unread)})"] if self.unread else []
        left += [f"{counted(len(self.unparsed), 'code block')} ({_listed(self.unparsed)})"] if self.unparsed else []
        head = f"{head}; not checked: {' and '.join(left)}" if left else head
        return f"{head}; {counted(self.silent, 'more statement')} with nothing to look up" if self.silent else head


NOT_COUNTED = Coverage()
"""The coverage of a plan that was not counted."""


def _listed(lines: tuple[int, ...]) -> str:
    more = f" and {len(lines) - MAX_LINES} more" if len(lines) > MAX_LINES else ""
    return f"{'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines[:MAX_LINES]))}{more}"
