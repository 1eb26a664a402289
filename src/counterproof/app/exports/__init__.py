"""Files for coding agents: Claude Code, Cursor, and every tool that reads AGENTS.md.

Invariant: every file says which parts are enforced and which are advice (R34), since this program cannot control agents run by
another tool; only files written by this program are replaced, and a list of servers keeps its other entries. The texts are
Markdown files in this folder.
"""

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, cast

from counterproof import __version__
from counterproof.app.files import write_whole
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.errors import UserError

OURS: Final = "counterproof export"
MAX_BYTES: Final = 1_000_000
SERVER: Final = json.dumps({"mcpServers": {"counterproof": {"command": "counterproof", "args": ["mcp"]}}})

ADVISORY: Final = (
    "Enforced: nothing in this file. Advice: all of it; an agent that reads it may still do otherwise. The protocol is enforced "
    "only where Counterproof's own engine runs it: `counterproof audit`, `counterproof review`, `counterproof verify` and the "
    "tools of `counterproof mcp`."
)
SERVED: Final = (
    "Enforced, by the engine behind the MCP tools: which tasks there are, their turns and calls, what counts as read, the "
    "result's contract, the verification of every claim, the analysts' check beside it, severities, phases and the report. "
    "Advice, because your own tool runs you: a fresh context for each task, and everything else that this file asks."
)


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file below the folder given by the user."""

    path: str
    text: str
    joins: bool = False
    """The file is a JSON object whose entries are merged into the user's file, if there is one."""


def claude_code() -> tuple[ExportedFile, ...]:
    """The server for this project, a skill that explains its use, and a sub-agent for one task."""
    return (
        ExportedFile(".mcp.json", SERVER, joins=True),
        ExportedFile(".claude/skills/counterproof/SKILL.md", _page("skill", SERVED, "claude-code")),
        ExportedFile(".claude/agents/task-worker.md", _page("worker", SERVED, "claude-code")),
    )


def agents_md() -> tuple[ExportedFile, ...]:
    """One file for every tool that reads AGENTS.md."""
    return (ExportedFile("AGENTS.md", _page("guidance", ADVISORY, "agents-md")),)


def cursor() -> tuple[ExportedFile, ...]:
    """The server, and the guidance as a rule that Cursor's agent loads when relevant."""
    head = "---\ndescription: How to look for security problems here, and when to call Counterproof\nalwaysApply: false\n---\n"
    return (
        ExportedFile(".cursor/mcp.json", SERVER, joins=True),
        ExportedFile(".cursor/rules/counterproof.mdc", head + _page("guidance", ADVISORY, "cursor")),
    )


KINDS: Final = {"claude-code": claude_code, "agents-md": agents_md, "cursor": cursor}


def served(kind: str) -> bool:
    """True if the files of a kind start the MCP server."""
    return any(each.text == SERVER for each in KINDS[kind]())


def write(kind: str, out: Path) -> tuple[Path, ...]:
    """Write the files of a kind below a folder. Raises `UserError` before writing if an existing file is not ours."""
    wanted = {out / each.path: joined(out / each.path, each.text) if each.joins else each.text for each in KINDS[kind]()}
    for path in (out / each.path for each in KINDS[kind]() if not each.joins):
        _refuse_foreign(path)
    write_below(out, wanted)
    return tuple(wanted)


def write_below(out: Path, wanted: dict[Path, str]) -> None:
    """Write files that others may read. Raises `UserError` before writing if one would be outside the folder."""
    for path in wanted:
        if path.is_symlink() or not path.parent.resolve().is_relative_to(out.resolve()):
            raise UserError(f"{path} leads out of {out}", "give another folder")
    try:
        for path, text in wanted.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)
            path.chmod(0o644)
    except OSError as error:
        raise UserError(f"cannot write to {out}: {error.strerror}", "give another folder") from error


def joined(path: Path, text: str) -> str:
    """The user's JSON object with our entries merged one level deep; only ours if there is no file."""
    ours: dict[str, Any] = json.loads(text)
    found: Any = {}
    if path.exists():
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            found = None
    whole = cast("dict[str, Any]", found) if isinstance(found, dict) else None
    if whole is None or not all(isinstance(whole.get(name, {}), dict) for name in ours):
        raise UserError(f"{path} is not the JSON object that it should be", f"correct it, or add this yourself: {text}")
    return _json({**whole, **{name: {**whole.get(name, {}), **entries} for name, entries in ours.items()}})


def _refuse_foreign(path: Path) -> None:
    if not path.exists() and not path.is_symlink():
        return
    try:
        with path.open("rb") as stream:
            ours = not path.is_symlink() and OURS.encode() in stream.read(MAX_BYTES)
    except OSError:
        ours = False
    if not ours:
        raise UserError(f"{path} exists and was not written by us", "give another --out and copy the parts you want")


def _page(name: str, notice: str, kind: str) -> str:
    text = (files("counterproof.app.exports") / f"{name}.md").read_text(encoding="utf-8")
    dimensions = "\n".join(f"- {each.value} {each.label}" for each in ALL_DIMENSIONS)
    origin = f"Written by `{OURS} {kind}`, version {__version__}; running it again replaces this file."
    return text.replace("{{notice}}", f"> {notice}").replace("{{dimensions}}", dimensions).replace("{{origin}}", origin)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
