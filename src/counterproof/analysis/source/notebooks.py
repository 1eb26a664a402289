"""A Jupyter notebook as Python, with the line numbers of the notebook file.

Invariant: each line of the result is the code on that line of the file, or the line itself as a comment; so every location is the
same in both, and nothing is lost. A notebook whose lines cannot be separated is unchanged, and counts as unread. Not handled
here: which notebooks run.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator
from typing import cast

from counterproof.model.errors import CounterproofError
from counterproof.model.survey import Language, SourceFile


class NoCode(CounterproofError):
    """Raised for a notebook whose code cannot be read from its lines."""

    def __init__(self) -> None:
        super().__init__("its code is not stored line by line, as Jupyter saves it, and cannot be read")


def is_notebook(file: SourceFile) -> bool:
    """Return True if a file is a notebook that is read as code."""
    return file.language is Language.PYTHON and file.path.endswith(".ipynb")


def as_python(text: str) -> str:
    """The notebook as Python, or unchanged if that is impossible."""
    try:
        return _code(text)
    except NoCode:
        return text


def checked(text: str) -> str:
    """The same text; raises `NoCode` for a notebook that was left unchanged."""
    if text.lstrip().startswith("{"):
        raise NoCode
    return text


def _code(text: str) -> str:
    starts = [0]
    starts.extend(at + 1 for at, letter in enumerate(text) if letter == "\n")
    lines: dict[int, str] = {}
    place = 0
    for source, is_code in _cells(text):
        for line in source:
            place = _found(text, line, place)
            number = bisect_right(starts, place) - 1
            place += 1
            if is_code and line.rstrip("\n").count("\n"):
                raise NoCode
            if is_code and number in lines:
                raise NoCode
            if is_code:
                lines[number] = _plain(line.rstrip("\n"))
    every = text.split("\n")
    return "\n".join(lines.get(number, f"# {line}") for number, line in enumerate(every))


def _cells(text: str) -> Iterator[tuple[list[str], bool]]:
    """The lines of each cell, and whether they are code, in the order of the file."""
    try:
        from counterproof.analysis.syntax.structured import parsed_json  # only notebooks need it

        read = parsed_json(text.encode("utf-8", "replace"))
    except ValueError as error:
        raise NoCode from error
    fields = cast("dict[str, object]", read) if isinstance(read, dict) else {}
    cells = fields.get("cells")
    if not isinstance(cells, list):
        raise NoCode
    for cell in cast("list[object]", cells):
        kept = cast("dict[str, object]", cell) if isinstance(cell, dict) else {}
        source = kept.get("source")
        lines = [source] if isinstance(source, str) else cast("list[object]", source) if isinstance(source, list) else []
        texts = [each for each in lines if isinstance(each, str) and each]
        is_code = kept.get("cell_type") == "code" and not (texts and texts[0].startswith("%%"))
        yield texts, is_code


def _found(text: str, line: str, after: int) -> int:
    for plain in (False, True):
        at = text.find(json.dumps(line, ensure_ascii=plain), after)
        if at >= 0:
            return at
    raise NoCode


def _plain(line: str) -> str:
    """The line without notebook-only syntax, at its indentation."""
    bare = line.lstrip()
    return line[: len(line) - len(bare)] + "pass" if bare[:1] in ("%", "!", "?") else line
