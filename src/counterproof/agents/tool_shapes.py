"""The tools offered to models and coding agents, in one table: name, text and arguments. `tool_table` makes the calls.

Audits, reviews and plan verifications have the same tools with the same texts; an audit adds what its record needs.

Invariant: only the tools listed here exist; none writes, and none uses the network except the search servers that the user
named. Every field is bounded, and a field with a fixed set of values is an enumeration.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from counterproof.agents.models.tool_arguments import Arguments
from counterproof.model.plan.contract import Tool
from counterproof.protocols.guard.metering import MAX_LINES

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


@dataclass(frozen=True, slots=True)
class Row:
    """A tool. Reviews and plans count its calls by `meter`; without one only agents of audits have it. `more` is additional text
    and arguments for audits; only researchers have a tool for `research`."""

    text: str
    shape: type[Arguments]
    meter: Tool | None = None
    more: tuple[str, type[Arguments]] | None = None
    research: bool = False


TOOLS: dict[str, Row] = {
    "read": Row(
        f"Lines of a file, at most {MAX_LINES}, from `first` to `last`.", Read, Tool.READ,
        ("`because` names a hit as file:line where a round before settled the file.", AuditRead),
    ),
    "grep": Row(
        "Lines that match a regular expression, in files that a glob selects; no glob means every file.", Grep, Tool.GREP
    ),
    "symbols": Row(
        "Where a name is defined, with the bodies of the first definitions; where none is called so, names that hold `query`.",
        Symbols, Tool.GREP,
    ),
    "callers": Row(
        "Who calls a name or hands it on, with the bodies of the first callers. Give the name, or a line of the function.",
        Callers, Tool.GREP,
    ),
    "glob": Row("Files that a glob selects.", Glob, Tool.GREP),
    "trace": Row(
        "Where the data of the known sink at a line comes from; without a known sink, where the line's names are set.",
        Place, Tool.READ,
    ),
    "git_log": Row("The newest commits, of all or of one file.", Log, Tool.GIT_LOG),
    "knowledge": Row("A knowledge module by its name.", Knowledge),
    "memory_search": Row("What the user decided on earlier plans about these words.", Words, Tool.MEMORY, research=True),
    "web_search": Row(
        "Search the web for what the code cannot answer; `type` is the unknown's.", Search, Tool.WEB_SEARCH, research=True
    ),
    "web_fetch": Row("A page that a search returned.", Fetch, Tool.WEB_FETCH, research=True),
}  # fmt: skip


def audit_tools() -> Iterator[tuple[str, str, type[Arguments]]]:
    """The name, text and arguments of each tool of audit agents, which coding agents are offered for every task."""
    for name, row in TOOLS.items():
        if not row.research:
            text, shape = row.more or ("", row.shape)
            yield name, f"{row.text} {text}".rstrip(), shape
