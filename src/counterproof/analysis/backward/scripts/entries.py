"""The entry point behind a walk in JavaScript or TypeScript: by the line of a handler, or by the name it is registered under."""

from counterproof.analysis.backward.scripts.scopes import Scopes
from counterproof.model.recon import EntryKind, EntryPoint

_WAYS_IN = (EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.RPC, EntryKind.QUEUE, EntryKind.PUBLIC_API)


def entry_behind(scopes: Scopes, entries: tuple[EntryPoint, ...], places: set[tuple[str, int]]) -> EntryPoint | None:
    """The first one whose handler is a function around one of these lines; None where there is none."""
    by_name: dict[str, EntryPoint] = {}
    by_place: dict[tuple[str, int], EntryPoint] = {}
    for each in entries:
        if each.kind in _WAYS_IN:
            by_place.setdefault((each.handler.path, each.handler.start), each)
            if "." in each.name:
                by_name.setdefault(each.name.rpartition(".")[2], each)
    for path, line in sorted(places):
        function = scopes.around(path, line)
        while function is not None:
            module = scopes.modules[path]
            named = (by_name[name] for name in sorted(scopes.names(module, function)) if name in by_name)
            entry = by_place.get((path, function.line)) or next(named, None)
            if entry is not None:
                return entry
            function = scopes.outer(module, function)
    return None
