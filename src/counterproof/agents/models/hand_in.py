"""Converts a model's submitted fields to the values of a reply, entry by entry, so that a bad entry affects only itself (A24).

Invariant: free texts are scanned field by field and withheld if they address a reader instead of describing code (R7);
rejections are worded so that the model can act on them. Not handled here: a protocol's own entries.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from counterproof.analysis.text.hidden import visible
from counterproof.model.misfits import in_plain_words
from counterproof.protocols.guard.injection import addresses_model

MAX_PROBLEMS = 40
MAX_PROBLEM = 1_000
MAX_ENTRIES = 1_000
MAX_PER_ENTRY = 5
Entry = TypeVar("Entry", bound=BaseModel)
Value = TypeVar("Value")


@dataclass(slots=True)
class HandIn:
    """A result being converted. `problems` are for the model to correct, `refused` the entries concerned, `notes` for the
    report."""

    fields: dict[str, Any]
    agent_id: str
    problems: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])

    def entries(self, name: str, model: type[Entry], most: int = MAX_ENTRIES) -> list[Entry]:
        """The entries of a list that conform to the contract."""
        given = self.fields.get(name, [])
        if not isinstance(given, list | tuple):
            self.reject(name, "expected a list")
            return []
        found: list[Entry] = []
        for index, each in enumerate(cast("list[Any]", given)[:most]):
            try:
                found.append(model.model_validate(each))
            except ValidationError as error:
                self.reject(f"{name}[{index}]", "; ".join(problems_of(error, MAX_PER_ENTRY)))
        return found

    def texts(self, name: str, most: int = 50) -> tuple[str, ...]:
        """The texts of a list."""
        values = self.fields.get(name, [])
        found = [each for each in cast("list[Any]", values) if isinstance(each, str)] if isinstance(values, list) else []
        return tuple(found[:most])

    def reject(self, where: str, why: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(f"{where}: {why}"[:MAX_PROBLEM])
            self.refused.append(where.partition(" ")[0])

    def said(self, text: str, what: str, most: int = 1_000) -> str:
        """A free text that may appear in a report and be read by other agents' engines."""
        shown = visible(" ".join(text.split())).text[:most]
        signs = addresses_model(shown)
        if not signs:
            return shown
        self.notes.append(f"{self.agent_id}: a {what} was withheld because it {signs[0].kind.value}.")
        return f"(the agent's {what} was withheld: it {signs[0].kind.value})"[:most]


def problems_of(error: ValidationError, most: int = 10) -> tuple[str, ...]:
    """The first validation errors, each with its place, in our words."""
    said: list[str] = []
    for problem in error.errors(include_url=False, include_context=False, include_input=False)[:most]:
        place, words = ".".join(str(part)[:40] for part in problem["loc"]), in_plain_words(str(problem["msg"]))
        said.append(f"{place}: {words}"[:200] if place else words[:200])
    return tuple(said)


def built(kind: type[Value], entry: BaseModel, **given: Any) -> Value:
    """A domain value with the entry's fields of the same names, as the types that it declares; `given` are its other fields.
    Raises `ValidationError`, also for a value that the type itself rejects."""
    return _adapter(kind).validate_python({**dict(entry), **given})


@cache
def _adapter(kind: type[Value]) -> TypeAdapter[Value]:
    return TypeAdapter(kind)
