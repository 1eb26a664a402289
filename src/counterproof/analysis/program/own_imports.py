"""Imports of the project's own packages that resolve to nothing: program code that is missing from the tree (A64).

Invariant: only mandatory imports count, and only below a package whose files exist; build output named in the manifest is not a
gap. Not handled here: existing files that could not be read.
"""

import posixpath
import re
import sys
from collections.abc import Iterator

from counterproof.analysis.program.codebase import Codebase, codebase_of
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.syntax.ir import Function, If, Import, Loop, Node, Try, With
from counterproof.model.survey import FileRole, Unread

MAX_GAPS = 200
_EXTENDING = ("extend_path", "__getattr__", "__path__", "sys.modules", "declare_namespace", "import_module")
"""Words in a package that locates its modules dynamically."""
_MANIFESTS = (
    "pyproject.toml", "setup.cfg", "setup.py", "MANIFEST.in", "meson.build", "CMakeLists.txt", "hatch.toml", ".gitignore",
)  # fmt: skip
_RELATIVE = re.compile(
    r"""(?:\bfrom\s{0,9}|\bimport\s{0,9}\(?\s{0,9}|\brequire\s{0,9}\(\s{0,9})["'](\.{1,2}/[^"'\n?#]{1,200})["']"""
)
_CODE = ("", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx")
_TRIED = ("", *_CODE[1:], ".d.ts", ".json", ".node", ".vue", ".svelte", *(f"/index{each}" for each in _CODE[1:]))


def gaps_of(project: Project) -> tuple[Unread, ...]:
    """Every unresolved import of the project's own packages."""
    found = [*_python(project), *_scripts(project)][:MAX_GAPS]
    return tuple(Unread(path, f"line {line} imports {name}, which is not in the project") for path, line, name in found)


def _python(project: Project) -> Iterator[tuple[str, int, str]]:
    codebase = codebase_of(project)
    built = "\n".join(project.text(each) for each in _MANIFESTS if each in project.files)
    for path, listed in told(codebase, _imports).items():
        if project.files[path].role is not FileRole.RUNTIME:
            continue
        for line, module in listed:
            if codebase.find_module(module, path) is None and _is_gap(codebase, project, path, module, built):
                yield path, line, module
                break


def _is_gap(codebase: Codebase, project: Project, origin: str, module: str, built: str) -> bool:
    """Return True if the package of a module exists as files and does not create its modules dynamically."""
    package, _, name = module.rpartition(".")
    top = codebase.find_module(module.partition(".")[0], origin)
    if top is None or module.partition(".")[0] in sys.stdlib_module_names:
        return False
    above = posixpath.dirname(posixpath.dirname(top))
    if f"{above}/__init__.py".lstrip("/") in project.files and above:
        return False  # a part of another package with the same name as an external one
    while package:
        path = codebase.find_module(package, origin)
        if path is not None:
            text = project.text(path)
            written = f"{posixpath.dirname(path)}/{name}".rpartition("/")[2]
            folder = posixpath.dirname(path)
            beside = any(each.path.startswith(f"{folder}/{name}") for each in project.survey.skipped)
            if any(each.startswith(f"{folder}/{name}/") for each in project.files):
                return False  # a folder of modules without an `__init__.py`
            ready = path.endswith("/__init__.py") and not any(word in text for word in _EXTENDING)
            return ready and not beside and f"{written}.py" not in built
        package, _, name = package.rpartition(".")
    return False


@trait("imports that must succeed")
def _imports(outline: Outline) -> list[list[int | str]]:
    """The line and module of every import without an exception handler."""
    found: list[list[int | str]] = []
    pending: list[Node] = list(outline.module.body)
    while pending:
        node = pending.pop()
        if isinstance(node, Import):
            found += [[node.line, each] for each in _modules(node)]
        elif isinstance(node, Function | With | Loop):
            pending.extend(node.body)
        elif isinstance(node, If):
            continue  # imported only under a condition
        elif isinstance(node, Try):
            pending.extend(node.final)
    return sorted(found, key=lambda each: (each[0], str(each[1])))


def _modules(node: Import) -> Iterator[str]:
    """The modules that an import needs: `a.b` for `from a.b import c`."""
    if node.everything:
        yield node.everything
    yield from (name.rpartition(".")[0] for _, name in node.names if "." in name)


def _scripts(project: Project) -> Iterator[tuple[str, int, str]]:
    resolver = project.scripts()
    known = frozenset(project.files)
    folders = {each.path for each in project.survey.skipped}
    for language in SCRIPTS:
        for file in project.of_language(language):
            if file.role is not FileRole.RUNTIME:
                continue
            text = project.text(file.path)
            for match in (each for each in _RELATIVE.finditer(text) if not _in_comment(text, each.start())):
                target = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), match[1]))
                if target.startswith("..") or resolver.file(file.path, match[1]) is not None:
                    continue
                if posixpath.splitext(target)[1] in _CODE and not _is_there(project, target, known, folders):
                    yield file.path, text.count("\n", 0, match.start()) + 1, match[1]
                    break


def _is_built(project: Project, target: str) -> bool:
    """Return True if a file is in a folder excluded from the repository because it is build output."""
    parts = target.split("/")[:-1]
    folders = ("".join(f"{part}/" for part in parts[:count]) for count in range(len(parts)))
    lists = [project.text(path) for each in folders if (path := f"{each}.gitignore") in project.files]
    named = {line.strip().strip("/") for text in lists for line in text.split("\n")}
    return not named.isdisjoint(parts)


def _in_comment(text: str, start: int) -> bool:
    """Return True if this place is inside a comment."""
    before = text[text.rfind("\n", 0, start) + 1 : start].lstrip()
    return before.startswith(("//", "*", "/*"))


def _is_there(project: Project, target: str, known: frozenset[str], skipped: set[str]) -> bool:
    if any(target + ending in known or target + ending in skipped for ending in _TRIED):
        return True
    if (target.endswith(".jsx") and f"{target.removesuffix('.jsx')}.tsx" in known) or _is_built(project, target):
        return True
    if any(target == each or target.startswith(f"{each}/") or each.startswith(f"{target}/") for each in skipped):
        return True
    return any((project.root / (target + ending)).is_file() for ending in _TRIED)
