"""The files of a published JavaScript package that its public parts load: its main file, exports and programs (A10).

Invariant: in doubt a file counts as loaded: if an import is built at run time, if a public file is minified or built from unknown
sources, or if there is no package. A path in a string counts as loaded too, because frameworks receive files that way. Not
handled here: which functions are public.
"""

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache

from counterproof.analysis.project import Project
from counterproof.analysis.syntax.javascript.resolution import BUILT, Manifest

_IMPORTED = re.compile(r"""(?:\brequire\s{0,5}\(|\bfrom|\bimport\s{0,5}\(?)\s{0,5}(["'`])([^"'`\n]{1,300})\1""")
_NAMED = re.compile(r"""(["'`])(\.{1,2}/[^"'`\n]{1,300})\1""")
_PUT_TOGETHER = re.compile(
    r"""\b(?:require|import)\s{0,5}\(\s{0,5}(?:[^"'`\s)]|["'`][^"'`\n]{0,300}["'`]\s{0,5}\+|`[^`\n]{0,300}\$\{)"""
)
_RELEASE = re.compile(
    r"\s{0,20}/\*!(?=[^/]{0,200}\bv?\d{1,3}\.\d{1,4})(?:[^*]|\*(?!/)){0,400}(?:licen[sc]e|copyright|\(c\))", re.IGNORECASE
)
_WRITTEN_TOO = frozenset({"lib", "node", "browser", "es", "pkg", "types"})
"""Folders that some projects use for build output, and others for source code."""
PACKED_LINE, PACKED_MEAN = 1_000, 120
"""Line length, and average length of the other lines, above which text is not handwritten. A handwritten file may contain one
long line, such as an image or a table.
"""


def is_loaded(project: Project, path: str) -> bool:
    """Return True if a user of the package can run this file through its public parts. If the public parts are unknown, a file
    with a release header of another library belongs to that library."""
    package = project.scripts().publisher(path)
    if package is None:
        release, own = _RELEASE.match(project.text(path)), project.scripts().installable(path)
        return release is None or (own is not None and own.name.rpartition("/")[2].lower() in release[0].lower())
    loaded = project.once(f"files that {package.folder} loads", lambda: _loaded(project, package))
    if loaded is None:
        return not (is_built(package, path) and _has_sources(project, package))
    return path in loaded


def _has_sources(project: Project, package: Manifest) -> bool:
    """Return True if the sources of a build are next to it and can be read instead."""
    folder = posixpath.join(package.folder, "src") + "/"
    return any(each.startswith(folder) for each in project.files)


def _loaded(project: Project, package: Manifest) -> frozenset[str] | None:
    """The loaded files; None if unknown."""
    scripts = project.scripts()
    offered = scripts.offered(package)
    found: dict[str, None] = dict.fromkeys(offered)
    pending = list(found)
    while pending:
        path = pending.pop()
        text = project.text(path)
        if _PUT_TOGETHER.search(text) or is_packed(text) or is_built(package, path):
            return None
        for named in _names(text):
            target = scripts.file(path, named)
            if target is None and named.startswith(".") and is_built(package, posixpath.join(posixpath.dirname(path), named)):
                return None
            if target is not None and target not in found:
                found[target] = None
                pending.append(target)
    puts_together = len(found) == len(offered) and is_built(package, posixpath.join(package.folder, package.main))
    return None if puts_together else frozenset(found)


def _names(text: str) -> Iterator[str]:
    """The imports of a file, and the other files that it names."""
    for pattern in (_IMPORTED, _NAMED):
        yield from (match[2] for match in pattern.finditer(text))


def is_built(package: Manifest, path: str) -> bool:
    """Return True for a file in a package's build folder, whose sources cannot be determined from it."""
    first = posixpath.relpath(path or ".", package.folder or ".").split("/")[0]
    return first in BUILT - _WRITTEN_TOO


@lru_cache(maxsize=8)  # many rules query one file in succession
def is_packed(text: str) -> bool:
    """Return True if a file is minified, so that no one reads or edits it."""
    lines = text.splitlines()
    long = sum(len(line) for line in lines if len(line) > PACKED_LINE)
    return 2 * long > len(text) or len(text) - long > PACKED_MEAN * len(lines)
