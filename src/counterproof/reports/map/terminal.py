"""The map for a terminal: 80 columns, one part after another, routes grouped by their handlers' files.

Invariant: no line is wider than 80 columns; a truncated part says how many entries are missing and how to see them. Not
handled here: the content of the map.
"""

from collections import Counter
from collections.abc import Iterator

from counterproof.model.map import Part
from counterproof.reports.map.document import FactEntry, MapDocument, RouteEntry, compared, totals
from counterproof.reports.screen import WIDTH, clipped, wrapped
from counterproof.reports.wording import counted

MAX_FACTS = 60
"""The most facts shown of one part; JSON and HTML have all."""
MAX_WAYS = 6
_TITLES = {
    Part.SINKS: "SINKS", Part.NETWORK: "NETWORK", Part.FILES: "FILE WRITES", Part.SESSIONS: "SESSIONS, COOKIES, TEMPLATES",
}  # fmt: skip


def render_terminal(made: MapDocument) -> str:
    """All parts of the document."""
    lines: list[str] = [*_head(made)]
    if Part.ROUTES in made.parts:
        lines += _routes(made)
    if Part.RIGHTS in made.parts:
        lines += _rights(made)
    for part, facts in (
        (Part.SINKS, made.sinks),
        (Part.NETWORK, made.network),
        (Part.FILES, made.files),
        (Part.SESSIONS, made.sessions),
    ):
        if part in made.parts:
            lines += _facts(_TITLES[part], part, facts)
    if Part.SETTINGS in made.parts:
        lines += _settings(made)
    if Part.UNREAD in made.parts:
        lines += _unread(made)
    return "\n".join(lines) + "\n"


def _line(indent: int, text: str) -> str:
    return " " * indent + clipped(text, WIDTH - indent)


def _head(made: MapDocument) -> Iterator[str]:
    differ = sum(each.differs for each in made.routes)
    yield _line(0, f"MAP {made.name}  {made.loc:,} lines of code")
    for each in made.components[:8]:
        yield f"  {each.loc:>8,}  {_line(0, f'{each.path}  ({chr(44).join(each.languages)})')}"
    if len(made.components) > 8:
        yield f"  and {counted(len(made.components) - 8, 'smaller folder')}"
    if Part.ROUTES in made.parts:
        handlers = counted(len({each.handler for each in made.routes}), "handler")
        yield from wrapped(f"{totals(made)} in {handlers}, {differ} with different rights than a sibling", "  ", "  ")
    for each in made.limitations:
        yield from wrapped(each, "  ! ", "    ")


def _routes(made: MapDocument) -> Iterator[str]:
    yield ""
    yield "ENTRY POINTS"
    current = ""
    for each in sorted(made.routes, key=_file):
        if _file(each) != current:
            current = _file(each)
            yield _line(2, f"{current}")
        yield from _route(each)


def _file(each: RouteEntry) -> str:
    return each.handler.partition(":")[0]


def _route(each: RouteEntry) -> Iterator[str]:
    mark = "≠" if each.differs else " "
    line = each.handler.partition(":")[2]
    yield _line(2, f"{mark} {each.ways[0]}  :{line} {each.name}")
    for way in each.ways[1:MAX_WAYS]:
        yield _line(4, f"also {way}")
    if len(each.ways) > MAX_WAYS:
        yield f"    and {len(each.ways) - MAX_WAYS} more paths"
    for guard in each.guards:
        if guard.asks == "not understood":
            yield from wrapped(guard.understood, "      ", "        ")
        else:
            yield from wrapped(f"{guard.text} → {guard.understood}", "      ", "        ")
    if not each.guards and not each.note:
        yield "      no guard"
    if each.note:
        yield from wrapped(each.note, "      ", "        ")


def _rights(made: MapDocument) -> Iterator[str]:
    yield ""
    yield "DIFFERENT RIGHTS"
    if not made.rights or made.compared < made.groups:
        yield from wrapped(compared(made), "  ", "  ")
    for each in made.rights:
        yield from wrapped(f"{each.shared} ({each.at}): {each.difference}", "  ", "    ")
        for way in each.ways:
            yield from wrapped(f"{way.route} asks for {', '.join(way.asks)}", "    - ", "      ")


def _facts(title: str, part: Part, facts: tuple[FactEntry, ...]) -> Iterator[str]:
    yield ""
    unreached = sum(not each.reached_by and each.runs_in == "server" for each in facts)
    served = Counter(each.kind for each in facts if each.runs_in == "server")
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(served.items())) or "none on the server"
    yield title
    if not facts:
        yield "  none found"
        return
    yield from wrapped(kinds, "  ", "  ")
    if part is not Part.SESSIONS:
        yield f"  {counted(unreached, 'place')} that no entry point was found to reach"
    if browser := len(facts) - served.total():
        yield f"  and {counted(browser, 'place')} in files that run in the browser"
    for each in sorted(facts, key=lambda each: (each.runs_in == "browser", not each.reached_by, each.kind, each.at))[:MAX_FACTS]:
        side = " in the browser" if each.runs_in == "browser" else ""
        yield _line(2, f"{each.kind}{side}  {each.at}  {each.text}")
        if each.reached_by:
            more = f" and {len(each.reached_by) - 2} more" if len(each.reached_by) > 2 else ""
            yield _line(6, f"from {', '.join(each.reached_by[:2])}{more}")
    if len(facts) > MAX_FACTS:
        yield f"  and {len(facts) - MAX_FACTS} more: --only {part.value} --format json"


def _settings(made: MapDocument) -> Iterator[str]:
    yield ""
    yield "SETTINGS"
    used = [each for each in made.settings if each.used_as]
    yield f"  {counted(len(made.settings), 'setting')}, {len(used)} that end in a command, path, address or key"
    for each in used:
        yield _line(2, f"{each.name} → {', '.join(each.used_as)}")
        yield _line(6, f"read at {each.read_at[0]}, used at {', '.join(each.used_at[:2])}")
    rest = [each.name for each in made.settings if not each.used_as]
    if rest:
        yield from wrapped(f"others: {', '.join(rest[:40])}{' …' if len(rest) > 40 else ''}", "  ", "    ")


def _unread(made: MapDocument) -> Iterator[str]:
    yield ""
    yield "NOT READ"
    if not made.unread:
        yield "  nothing: every file was read"
    for each in [each for each in made.unread if each.first_party][:MAX_FACTS]:
        accepted = " (accepted)" if each.accepted else ""
        yield from wrapped(f"{each.path}: {each.reason}{accepted}", "  ! ", "    ")
    totals: dict[str, tuple[int, int]] = {}
    for each in made.unread:
        if not each.first_party:
            files, loc = totals.get(each.reason.partition(",")[0], (0, 0))
            totals[each.reason.partition(",")[0]] = files + each.files, loc + each.loc
    for reason, (files, loc) in sorted(totals.items()):
        lines = f", {loc:,} lines" if loc else ""
        yield _line(2, f"{files:>6,} {'file' if files == 1 else 'files'} {reason}{lines}")
