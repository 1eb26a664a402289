"""The intents of a plan as a table for a terminal (`verify --show intents`), with the plan's lines (P21)."""

from collections.abc import Iterator

from counterproof.model.counting import counted
from counterproof.model.plan.outline import Named, PlanOutline
from counterproof.reports.inert import terminal_text

WIDTH = 200
_TITLES = ("LINE", "STEP", "INTENT", "KIND", "WHAT")


def intents_table(outline: PlanOutline) -> str:
    """One row for each intent, ending in a newline."""
    rows = [(str(each.line), str(each.step or "-"), each.intent.value, each.kind.value, _what(each)) for each in outline.intents]
    head = f"{counted(len(rows), 'intent')} in {counted(len(outline.steps), 'step')}; all other lines are read as prose"
    return "\n".join([head, *_aligned([_TITLES, *rows] if rows else [])]) + "\n"


def _what(each: Named) -> str:
    to = f" to {each.to}" if each.to else ""
    return f"{each.text}{to}{f' in {each.home}' if each.home else ''}"


def _aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(_TITLES) - 1)] if rows else []
    for row in rows:
        cells = [text.ljust(width) for text, width in zip(row, widths, strict=False)]
        yield terminal_text("  ".join([*cells, row[-1]]))[:WIDTH].rstrip()
