"""Tables and lists in Markdown. Cells and items must already be inert; nothing is escaped here."""

from collections.abc import Iterable, Sequence


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A pipe table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def bullets(items: Iterable[str]) -> str:
    """A list with one line per item."""
    return "\n".join(f"- {item}" for item in items)


def numbered(items: Iterable[str]) -> str:
    """A numbered list with one line per item."""
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
