"""Which files of a published JavaScript package are loaded by what it offers: its main file, its exports and its programs
(A10).

Invariant: in doubt a file counts as loaded: where an import is put together at run time, where what is offered is packed, or a
build makes it and nobody can tell of what, or where there is no package. A path that a text names is loaded too: frameworks
are handed files so. Not handled here: which functions are offered.
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
"""Folders into which some builds write, and in which others keep what they wrote by hand."""
PACKED_LINE, PACKED_MEAN = 1_000, 120
"""Characters of a line, and of the others on the average, that nobody wrote by hand. A picture or a table may stand on a long
line of a file that somebody did write."""


def is_loaded(project: Project, path: str) -> bool:
    """Whether somebody who installs the package can get this file to run by using what the package offers. Where nobody can tell
    what is offered, a file that says at its head that it is a release of another library is somebody else's."""
    package = project.scripts().publisher(path)
    if package is None:
        release, own = _RELEASE.match(project.text(path)), project.scripts().installable(path)
        return release is None or (own is not None and own.name.rpartition("/")[2].lower() in release[0].lower())
    loaded = project.once(f"files that {package.folder} loads", lambda: _loaded(project, package))
    if loaded is None:
        return not (is_built(package, path) and _has_sources(project, package))
    return path in loaded


def _has_sources(project: Project, package: Manifest) -> bool:
    """Whether what a build was made of lies beside it, to be read instead."""
    folder = posixpath.join(package.folder, "src") + "/"
    return any(each.startswith(folder) for each in project.files)


def _loaded(project: Project, package: Manifest) -> frozenset[str] | None:
    """None where it cannot be told."""
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
    """What a file imports, and the other files that it names."""
    for pattern in (_IMPORTED, _NAMED):
        yield from (match[2] for match in pattern.finditer(text))


def is_built(package: Manifest, path: str) -> bool:
    """Whether a file lies where a package's build puts what it makes, so that nobody can tell from it which sources went in."""
    first = posixpath.relpath(path, package.folder or ".").split("/")[0]
    return first in BUILT - _WRITTEN_TOO


@lru_cache(maxsize=8)  # many rules ask about one file after the other
def is_packed(text: str) -> bool:
    """Whether a file was packed for delivery, so that nobody reads or mends it."""
    lines = text.splitlines()
    long = sum(len(line) for line in lines if len(line) > PACKED_LINE)
    return 2 * long > len(text) or len(text) - long > PACKED_MEAN * len(lines)
