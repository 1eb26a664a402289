"""Entry points as the readers of all languages state them."""

from counterproof.analysis.endpoints.verdict import Verdict
from counterproof.analysis.polyglot.source import Function, Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint

Where = tuple[Source, int, str]
"""The file, line and name of a handler."""


def entered(kind: EntryKind, method: str, path: str, where: Where, verdict: Verdict, framework: str = "") -> EntryPoint:
    source, line, name = where
    return EntryPoint(kind, method, path, at(source.path, line), name, framework, *verdict.parts)


def runs(source: Source, function: Function) -> Where:
    """A function as a handler."""
    return source, function.line, function.qualified
