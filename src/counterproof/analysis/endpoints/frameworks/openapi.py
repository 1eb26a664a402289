"""Connexion and similar frameworks: an OpenAPI document whose `operationId` names a project function is a routing table.

YAML is read line by line by its indentation, which is enough for such files and cannot be made to expand. An operation that names
no project function is not an entry point. Not handled here: documents in JSON.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.endpoints.convention import VERBS, Convention, entry
from counterproof.analysis.endpoints.routed import handled, own_guards
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.syntax.ir import Function
from counterproof.model.errors import CounterproofError
from counterproof.model.recon import EntryKind, EntryPoint

MAX_BYTES = 1_000_000
_MARKS = ("operationId",)


@dataclass(slots=True)
class Operation:
    """One method of one path, with the line of its `operationId` (0 if unknown)."""

    path: str
    method: str
    name: str = ""
    controller: str = ""
    line: int = 0
    secured: int = 0


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    for file in codebase.project.survey.files:
        if not file.path.endswith((".yml", ".yaml")) or file.test or file.size > MAX_BYTES:
            continue
        codebase.project.checkpoint()
        try:
            text = codebase.project.text(file.path)
        except CounterproofError:
            continue  # an unreadable file is reported elsewhere; here the document is skipped
        if all(mark in text for mark in _MARKS) and ("openapi" in text or "swagger" in text):
            yield from _entries(codebase, file.path, _from_yaml(text))


def _entries(codebase: Codebase, document: str, operations: list[Operation]) -> Iterator[EntryPoint]:
    for operation in operations:
        dotted = f"{operation.controller}.{operation.name}" if operation.controller else operation.name
        found = codebase.define(dotted, document) if "." in dotted else None
        if not found or not isinstance(found.node, Function):
            continue
        declared: Verdict = present(document, operation.secured, "security") if operation.secured else OPEN
        verdict = strongest((declared, own_guards(codebase, found.outline, found.node)))
        handler = handled(found.outline, found.node)
        yield entry(EntryKind.HTTP, operation.method.upper(), operation.path, handler, "OpenAPI", verdict)


def _from_yaml(text: str) -> list[Operation]:
    reader = _YamlReader()
    for number, line in enumerate(text.split("\n"), 1):
        reader.line(number, line)
    return [operation for operation in reader.operations if operation.name]


class _YamlReader:
    """Follows indentation: `paths:` → a path → a method → its keys."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.levels: list[tuple[int, str]] = []
        self.everywhere = 0

    def line(self, number: int, line: str) -> None:
        stripped = line.strip()
        if not stripped or stripped.startswith(("#", "- ")):
            return
        key, colon, value = stripped.partition(":")
        if not colon:
            return
        indent = len(line) - len(line.lstrip())
        while self.levels and self.levels[-1][0] >= indent:
            self.levels.pop()
        if len(self.levels) < 32:
            self.levels.append((indent, key.strip().strip("'\"")))
        self._key(number, value.strip().strip("'\""))

    def _key(self, number: int, value: str) -> None:
        names = [name for _, name in self.levels]
        if names == ["security"] and value != "[]":
            self.everywhere = number
        if len(names) == 3 and names[0] == "paths" and names[2] in VERBS:
            self.operations.append(Operation(names[1], names[2], secured=self.everywhere))
        if len(names) == 4 and names[0] == "paths" and self.operations and names[2] in VERBS:
            self._operation(self.operations[-1], names[3], value, number)

    def _operation(self, operation: Operation, key: str, value: str, number: int) -> None:
        if key == "operationId":
            operation.name, operation.line = value, number
        elif key in ("x-openapi-router-controller", "x-swagger-router-controller"):
            operation.controller = value
        elif key == "security":
            operation.secured = 0 if value == "[]" else number


CONVENTION = Convention("Connexion", ("connexion",), ("connexion",), _find)
