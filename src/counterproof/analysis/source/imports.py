"""Whether a place in a Python file really is an import, asked of the parser: docstrings talk of imports too.

Parsers load only when somebody asks.
"""

from collections.abc import Callable

from counterproof.analysis.source.decoding import declared_encoding, is_utf16
from counterproof.model.survey import SourceFile


class Imports:
    """Reads each file once."""

    def __init__(self, read: Callable[[SourceFile], bytes]) -> None:
        self._read = read
        self._spans: dict[str, tuple[tuple[int, int], ...] | None] = {}

    def is_one(self, file: SourceFile, at: int) -> bool:
        """Whether an import stands at this byte. In doubt it does: code is rather read than not."""
        if file.path not in self._spans:
            self._spans[file.path] = self._found(file)
        spans = self._spans[file.path]
        return spans is None or any(start <= at < end for start, end in spans)

    def _found(self, file: SourceFile) -> tuple[tuple[int, int], ...] | None:
        try:
            data = self._read(file)
        except OSError:
            return None
        if is_utf16(data) or declared_encoding(data) not in ("", "utf-8", "utf8"):
            return None  # the parser counts bytes of another text
        from counterproof.analysis.syntax.python import import_spans

        return import_spans(data)
