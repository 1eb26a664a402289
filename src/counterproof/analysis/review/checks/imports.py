"""Imports that the change adds and the structure does not bear: new cycles, and steps against the direction of all others."""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.impact import import_name
from counterproof.analysis.syntax import ir
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import Language

Edges = dict[str, dict[str, int]]
"""From file to imported file, with the line of the import."""

PATTERN = 5
"""Imports in the other direction that make a direction."""


def cycles(view: View) -> Iterator[Claim]:
    """An import under review whose target leads back to the file, all at the top of modules."""
    graph = edges(view)
    for path in view.files:
        for target, line in graph.get(path, {}).items():
            if view.files[path].changed and view.touches(path, line, line):
                way = _way(graph, target, path)
                if way:
                    yield _cycle(path, line, way)


def edges(view: View) -> Edges:
    """The files that each file imports when it is loaded."""

    def make() -> Edges:
        project = view.project
        code = [each.path for each in project.of_language(Language.PYTHON) if not each.test]
        names: dict[str, str] = {}
        for path in code:
            module = project.module(path)
            names[module.name] = path
            names[import_name(project, module)] = path
        return {path: _imported(project.module(path), names) for path in code}

    return view.project.once("review imports", make)


def _imported(module: ir.Module, names: dict[str, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for node in module.body:
        if isinstance(node, ir.Import):
            for _, name in (*node.names, ("", node.everything)):
                path = names.get(name) or names.get(name.rpartition(".")[0])
                if path and path != module.path and not path.endswith("__init__.py"):
                    found.setdefault(path, node.line)
    return found


def _way(graph: Edges, start: str, goal: str) -> tuple[str, ...]:
    """The shortest way from one file to another; () if there is none."""
    came: dict[str, str] = {start: ""}
    pending = [start]
    for path in pending:
        if path == goal:
            way = [goal]
            while came[way[-1]]:
                way.append(came[way[-1]])
            return tuple(reversed(way))
        for following in sorted(graph.get(path, {})):
            if following not in came:
                came[following] = path
                pending.append(following)
    return ()


def _cycle(path: str, line: int, way: tuple[str, ...]) -> Claim:
    return Claim(
        kind="import cycle",
        domain="coupling",
        title=f"this import closes a cycle of {len(way)} modules",
        severity=Severity.MEDIUM,
        confidence=Confidence.HIGH,
        at=at(path, line),
        why=f"{path} imports {way[0]}, which leads back: {' -> '.join(way[:6])}. "
        "Which of them is loaded first decides whether names exist.",
        chain=" -> ".join((path, *way[:6]))[:500],
        fix="Move what both need into a module that imports neither, or import where it is used",
    )


def layers(view: View) -> Iterator[Claim]:
    """A new import from one package into another, against many in the other direction and none in this one."""
    graph = edges(view)
    counts: dict[tuple[str, str], int] = {}
    for path, targets in graph.items():
        for target in targets:
            pair = (_package(path), _package(target))
            counts[pair] = counts.get(pair, 0) + 1
    for path in view.files:
        for target, line in graph.get(path, {}).items():
            pair = (_package(path), _package(target))
            against = counts.get((pair[1], pair[0]), 0)
            new = view.files[path].changed and view.touches(path, line, line)
            if new and pair[0] != pair[1] and all(pair) and counts[pair] == 1 and against >= PATTERN:
                yield _layer(path, line, pair, against)


def _package(path: str) -> str:
    return path.rpartition("/")[0]


def _layer(path: str, line: int, pair: tuple[str, str], against: int) -> Claim:
    return Claim(
        kind="import against the layers",
        domain="boundaries",
        title=f"the first import from {pair[0]} into {pair[1]}"[:200],
        severity=Severity.LOW,
        confidence=Confidence.MEDIUM,
        at=at(path, line),
        why=f"{against} imports go from {pair[1]} to {pair[0]} and no other goes this way. The code's own pattern says that "
        f"{pair[0]} does not know what uses it.",
        fix="Pass in what is needed, or move it to the lower package",
    )
