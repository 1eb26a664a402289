"""Which file an import refers to.

Python's search path comes first: from the nearest folder above the importing file that is not a package up to the root, then the
packages around the file, as in Python 2. A module outside that path, because its root is inside the tree, is found by the end of
its name: the only file with that ending or, in a tree with several projects, the one nearest to the importer.

Invariant: a name that two files could match matches neither; a file does not import itself by the last part of its name. Not
handled here: a module's definitions.
"""

from collections.abc import Iterable, Iterator, Sequence

MAX_ENDINGS = 8
"""Parts of a module's name used for finding it without the rest."""
MAX_NAMESAKES = 200
"""Modules of one name among which the nearest is searched."""


class Modules:
    """Files by the dotted names of their modules."""

    def __init__(self, modules: Iterable[tuple[str, str]]) -> None:
        """Pairs of a path and the dotted name of the module there."""
        self._endings: dict[str, list[str]] = {}
        self._names: dict[str, str] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        self.longest = 0
        """Parts of the longest name."""
        for path, name in modules:
            self._names[path] = name
            parts = name.split(".")
            self.longest = max(self.longest, len(parts))
            for start in {0, *range(max(0, len(parts) - MAX_ENDINGS), len(parts))}:
                self._endings.setdefault(".".join(parts[start:]), []).append(path)

    def __contains__(self, path: str) -> bool:
        return path in self._names

    def find(self, name: str, importer: str) -> str | None:
        """The path of the module that `import name` in the file `importer` refers to."""
        everywhere = self._endings.get(name)
        if everywhere is None:
            return None
        if len(everywhere) == 1:
            return everywhere[0] if everywhere[0] != importer or self._is_itself(name, importer) else None
        key = (name, importer)
        if key not in self._found:
            self._found[key] = self._chosen(name, [path for path in everywhere if path != importer], importer)
        return self._found[key]

    def prefixes(self, name: str, importer: str) -> Iterator[tuple[str, list[str]]]:
        """Modules that a dotted name may start with, longest first, each with the remaining names."""
        parts = name.split(".")
        for end in range(min(len(parts), self.longest), 0, -1):  # names that grow in loops are not module names
            path = self.find(".".join(parts[:end]), importer)
            if path is not None:
                yield path, parts[end:]

    def _is_itself(self, name: str, importer: str) -> bool:
        """`celery` in `app/celery.py` is the package of that name, not the file itself."""
        own = self._names.get(importer, "")
        return own == name or ("." in name and own.endswith(f".{name}"))

    def _chosen(self, name: str, found: Sequence[str], importer: str) -> str | None:
        if len(found) == 1:
            return found[0]
        for folder in self._search_path(importer):
            same = [path for path in found if self._names[path] == f"{folder}{name}"]
            if same:  # a package takes precedence over a file of its name
                return next((path for path in same if path.endswith("/__init__.py")), same[0])
        return _nearest(found, importer) if len(found) <= MAX_NAMESAKES else None

    def _search_path(self, importer: str) -> Iterator[str]:
        """Folders as name prefixes; first those that are not packages, each group from the nearest to the root."""
        parts = importer.split("/")[:-1]
        above = [parts[:count] for count in range(len(parts), -1, -1)]
        packages = [folder for folder in above if folder and f"{'/'.join(folder)}/__init__.py" in self._names]
        for folder in (*(each for each in above if each not in packages), *packages):
            yield ".".join((*folder, ""))


def nearness(path: str, asker: str) -> int:
    """The number of folders that two paths share from the top."""
    shared = 0
    for mine, theirs in zip(path.split("/")[:-1], asker.split("/")[:-1], strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared


def _nearest(found: Sequence[str], importer: str) -> str | None:
    """The module that shares the most folders with the importer, because each of several projects imports its own. None if two
    are equally near."""
    shared = [nearness(path, importer) for path in found]
    most = max(shared)
    near = [path for path, count in zip(found, shared, strict=True) if count == most]
    return near[0] if most and len(near) == 1 else None
