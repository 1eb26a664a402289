"""Code of the reviewed project on every page: numbered lines with indentation, the relevant ones marked."""

import re
from pathlib import PurePosixPath

from counterproof.model.excerpt import Excerpt
from counterproof.reports.html.markup import Markup, lines, tag

_ENDING = re.compile(r"\.[A-Za-z]{1,8}")


def numbered(path: str, shown: Excerpt, start: int, end: int) -> Markup:
    """Lines of one file; `start` to `end` are marked. The line numbers are not part of the text."""
    rows = (_row(line, start <= number <= end) for number, line in enumerate(shown.lines, shown.first))
    ending = PurePosixPath(path).suffix
    return tag("ol", *rows, class_="code", start=shown.first, data_ending=ending if _ENDING.fullmatch(ending) else "")


def _row(line: str, marked: bool) -> Markup:
    return tag("li", tag("mark", lines(line, 1)) if marked else lines(line, 1))


def link_to(address: str) -> tuple[Markup, ...]:
    """A link to the line on the web, if the report has an address for it."""
    if not address:
        return ()
    return (tag("p", tag("a", "Open the source", href=address, rel="noopener noreferrer", target="_blank"), class_="source"),)
