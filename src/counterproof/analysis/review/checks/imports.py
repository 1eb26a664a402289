"""Imports that the change adds and the structure does not bear: new cycles, and steps against the direction of all others."""

from collections.abc import Iterator

from counterproof.analysis.kept import kept
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.definitions import python_names
from counterproof.analysis.syntax.python import top_imports
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import Language

PATTERN = 5
"""Imports in the other direction that make a direction."""


class Imports:
    """Which files a file imports when it is loaded, each looked at when it is asked for."""

    def __init__(self, view: View) -> None:
        self._project = view.project
        self._names: dict[str, str] = {}
        for file in self._project.of_language(Language.PYTHON):
            if not file.test:
                self._names |= dict.fromkeys(python_names(self._project, file.path), file.path)

    @kept
    def of(self, path: str) -> dict[str, int]:
        """The files that it imports, with the line of the import."""
        self._project.checkpoint()
        file = self._project.files.get(path)
        code = file is not None and file.language is Language.PYTHON and not file.test
        return _imported(path, self._project.text(path), self._names) if code else {}

    def anybody(self, target: str) -> bool:
        """Whether any file imports this one. Only those that hold the last word of its name can."""
        word = target.rpartition("/")[2].partition(".")[0]
        every = dict.fromkeys(self._names.values())
        return any(word in self._project.text(path) and target in self.of(path) for path in every)

    def between(self, package: str, other: str) -> int:
        """How many imports go from one package into another."""
        mine = [each for each in dict.fromkeys(self._names.values()) if _package(each) == package]
        return sum(_package(target) == other for path in mine for target in self.of(path))


def imports(view: View) -> Imports:
    """Made once for all checks."""
    return view.project.once("review imports", lambda: Imports(view))


def cycles(view: View) -> Iterator[Claim]:
    """An import under review whose target leads back to the file, all at the top of modules."""
    graph = imports(view)
    for path in view.files:
        for target, line in graph.of(path).items():
            if view.files[path].changed and view.touches(path, line, line):
                way = _way(graph, target, path)
                if way:
                    yield _cycle(path, line, way)


def _imported(path: str, text: str, names: dict[str, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for node in top_imports(path, text):
        for _, name in (*node.names, ("", node.everything)):
            target = names.get(name) or names.get(name.rpartition(".")[0])
            if target and target != path and not target.endswith("__init__.py"):
                found.setdefault(target, node.line)
    return found


def _way(graph: Imports, start: str, goal: str) -> tuple[str, ...]:
    """The shortest way from one file to another; () if there is none."""
    if not graph.anybody(goal):
        return ()  # a new file, most often; else the whole program would be walked through in vain
    came: dict[str, str] = {start: ""}
    pending = [start]
    for path in pending:
        if path == goal:
            way = [goal]
            while came[way[-1]]:
                way.append(came[way[-1]])
            return tuple(reversed(way))
        for following in sorted(graph.of(path)):
            if following not in came:
                came[following] = path
                pending.append(following)
    return ()


def _cycle(path: str, line: int, way: tuple[str, ...]) -> Claim:
    return Claim(
        kind="import cycle",
        title=f"this import closes a cycle of {len(way)} modules",
        severity=Severity.MEDIUM,
        at=at(path, line),
        why=f"{path} imports {way[0]}, which leads back: {' -> '.join(way[:6])}. "
        "Which of them is loaded first decides whether names exist.",
        chain=" -> ".join((path, *way[:6]))[:500],
        fix="Move what both need into a module that imports neither, or import where it is used",
    )


def layers(view: View) -> Iterator[Claim]:
    """A new import from one package into another, against many in the other direction and none in this one."""
    graph = imports(view)
    for path in view.files:
        for target, line in graph.of(path).items():
            here, there = _package(path), _package(target)
            if not (view.files[path].changed and view.touches(path, line, line)) or here == there or not (here and there):
                continue
            against = graph.between(there, here)
            if against >= PATTERN and graph.between(here, there) == 1:
                yield _layer(path, line, (here, there), against)


def _package(path: str) -> str:
    return path.rpartition("/")[0]


def _layer(path: str, line: int, pair: tuple[str, str], against: int) -> Claim:
    return Claim(
        kind="import against the layers",
        title=f"the first import from {pair[0]} into {pair[1]}"[:200],
        severity=Severity.LOW,
        confidence=Confidence.MEDIUM,
        at=at(path, line),
        why=f"{against} imports go from {pair[1]} to {pair[0]} and no other goes this way. The code's own pattern says that "
        f"{pair[0]} does not know what uses it.",
        fix="Pass in what is needed, or move it to the lower package",
    )
