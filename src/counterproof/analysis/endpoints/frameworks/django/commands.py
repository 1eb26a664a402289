"""Management commands: `management/commands/<name>.py` with a class `Command`."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Handler, entry
from counterproof.analysis.endpoints.verdict import LOCAL
from counterproof.analysis.outline.codebase import Codebase
from counterproof.model.recon import EntryKind, EntryPoint


def commands(codebase: Codebase) -> Iterator[EntryPoint]:
    for path in codebase.paths:
        if "/management/commands/" not in f"/{path}":
            continue
        outline = codebase.outline(path)
        command = outline.classes.get("Command")
        handle = outline.methods(command).get("handle") if command else None
        if handle:
            name = outline.path.rpartition("/")[2].removesuffix(".py")
            yield entry(EntryKind.CLI, "command", name, Handler(outline, handle, handle.qualified), "Django", LOCAL)
