"""The arguments of each tool, as models write them. `tool_table` lists the tools and who may use them.

Invariant: every field is bounded, and a field with a fixed set of values is an enumeration.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from counterproof.agents.models.tool_arguments import Arguments

Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Text = Annotated[str, StringConstraints(max_length=1_024)]
Number = Annotated[int, Field(ge=1, le=10_000_000)]
Maybe = Annotated[int, Field(ge=0, le=10_000_000)]


class Read(Arguments):
    path: Text
    first: Number = 1
    last: Maybe = 0


class AuditRead(Read):
    because: Text = ""


class Grep(Arguments):
    pattern: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
    glob: Text = ""


class Glob(Arguments):
    pattern: Text


class Symbols(Arguments):
    query: Word


class Finding(Arguments):
    id: Word


class Callers(Arguments):
    name: Annotated[str, StringConstraints(max_length=200)] = ""
    path: Text = ""
    line: Maybe = 0


class Place(Arguments):
    path: Text
    line: Number


class Log(Arguments):
    path: Text = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 20


class Knowledge(Arguments):
    name: Text


class Words(Arguments):
    words: Annotated[list[Word], Field(min_length=1, max_length=10)]


class Search(Arguments):
    query: Word
    type: Literal["FILE_MISSING", "API_BEHAVIOR", "PRIOR_DECISION", "STALE_KNOWLEDGE", "INTEGRATION_UNKNOWN"] = "API_BEHAVIOR"
    temporal: bool = False


class Fetch(Arguments):
    url: Annotated[str, StringConstraints(min_length=8, max_length=500)]
