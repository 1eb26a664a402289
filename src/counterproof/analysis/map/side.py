"""Whether a script runs in a browser or on the server.

Invariant: a file says so itself, by what it imports or uses, or the nearest package file above it by what it depends on. Not
handled here: code of both sides, which counts as the server's.
"""

import re
from posixpath import dirname, join, splitext

from counterproof.analysis.dependencies.plain_data import as_table, parsed
from counterproof.analysis.libraries import names
from counterproof.analysis.project import Project
from counterproof.model.survey import Language

_SUFFIXES = (".jsx", ".tsx", ".vue", ".svelte")
_USED = re.compile(r"\b(?:document|window|localStorage|sessionStorage)\s{0,4}\.\s{0,4}[a-zA-Z]")
_LOADED = re.compile(r"(?:\bfrom|\brequire\()\s{0,4}[\"']([^\"'\n]{1,80})[\"']")


def runs_in_browser(project: Project, path: str) -> bool:
    """Return True for a script of pages."""
    file = project.files[path]
    if file.language not in (Language.JAVASCRIPT, Language.TYPESCRIPT):
        return False
    served = frozenset(names("route", "router-package", Language.JAVASCRIPT))
    pages = frozenset(names("route", "page-package", Language.JAVASCRIPT))
    text = project.text(path)
    loaded = {found[1] for found in _LOADED.finditer(text)}
    if loaded & served:
        return False
    if splitext(path)[1] in _SUFFIXES or loaded & pages or _USED.search(text):
        return True
    needed = _dependencies(project, dirname(path))
    return bool(needed & pages) and not needed & (served | frozenset(names("route", "page-server", Language.JAVASCRIPT)))


def _dependencies(project: Project, folder: str) -> frozenset[str]:
    """The names in the nearest package file."""
    path = join(folder, "package.json")
    if path in project.files:
        return project.once(f"needs of {path}", lambda: _named(project.text(path)))
    return _dependencies(project, dirname(folder)) if folder else frozenset()


def _named(text: str) -> frozenset[str]:
    read = parsed(text) or {}
    return frozenset(name for key in ("dependencies", "devDependencies", "peerDependencies") for name in as_table(read.get(key)))
