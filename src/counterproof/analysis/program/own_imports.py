"""Imports of the project's own packages that resolve to nothing: program code that is missing from the tree (A64).

Invariant: only mandatory imports count, and only below a package whose files exist. Build output named in the manifest or a
`.gitignore` is not a gap. Imports that lead above the audited folder are reported once, separately. Not handled here: existing
files that could not be read.
"""

import posixpath
import re
import sys
from collections.abc import Iterator

from counterproof.analysis.program.codebase import Codebase, codebase_of
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.source.gitignore import Ignoring
from counterproof.analysis.syntax.ir import Function, If, Import, Loop, Node, Try, With
from counterproof.analysis.syntax.javascript import is_template_text
from counterproof.model.survey import FileRole, Language, Unread

MAX_GAPS = 200
_EXTENDING = ("extend_path", "__getattr__", "__path__", "sys.modules", "declare_namespace", "import_module")
"""Words in a package that locates its modules dynamically."""
_MANIFESTS = (
    "pyproject.toml", "setup.cfg", "setup.py", "MANIFEST.in", "meson.build", "CMakeLists.txt", "hatch.toml", ".gitignore",
)  # fmt: skip
_RELATIVE = re.compile(
    r"""(?:\bfrom\s{0,9}|\bimport\s{0,9}\(?\s{0,9}|\brequire\s{0,9}\(\s{0,9})["'](\.{1,2}/[^"'\n?#]{1,200})["']"""
)
_RUNS = re.compile(r"(?<![\w.])(?:exec|eval|new Function)\s{0,9}\(([^\n]{1,200})")
_DECODING = re.compile(
    r"\b(?:b(?:16|32|64|85)decode|a85decode|unhexlify|fromhex|decompress|rot_?13|atob|Buffer\.from)\b"
    r"|\b(?:json|yaml|toml|tomllib|marshal|pickle|shelve)\.(?:safe_)?(?:loads?|open)\b"
)
_DECODED_NAME = re.compile(
    rf"(?m)^\s{{0,40}}(?:const |let |var )?(\w{{1,60}})\s{{0,9}}=\s{{0,9}}[^\n]{{0,200}}?(?:{_DECODING.pattern})"
)
"""Text that is decoded or read from data, and the names that it is given."""
_OPENED = re.compile(r"""open\w*\(\s{0,9}["']([\w./-]{1,200})["']""")
_DOTS = re.compile(r"\s*from\s+(\.+)")
_CODE = ("", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx")
_TRIED = ("", *_CODE[1:], ".d.ts", ".json", ".node", ".vue", ".svelte", *(f"/index{each}" for each in _CODE[1:]))


def gaps_of(project: Project) -> tuple[Unread, ...]:
    """Every unresolved import of the project's own packages."""
    found = [*_python(project), *_scripts(project)][:MAX_GAPS]
    lost = [Unread(path, f"line {line} imports {name}, which is not in the project") for path, line, name in found]
    return (*lost, *_run_from_data(project))


def _run_from_data(project: Project) -> Iterator[Unread]:
    """Code that runs text which no file contains as code: it is decoded first, or one value of a data file."""
    for file in project.survey.files:
        if file.language not in (Language.PYTHON, *SCRIPTS) or file.role is not FileRole.RUNTIME:
            continue
        text = project.text(file.path)
        if not _RUNS.search(text):
            continue
        names = {match[1] for match in _DECODED_NAME.finditer(text)}
        every = (each for each in _RUNS.finditer(text) if not _in_comment(text, each.start()))
        found = next((each for each in every if _DECODING.search(each[1]) or each[1].strip(" );") in names), None)
        if found:
            line = text.count("\n", 0, found.start()) + 1
            opened = _OPENED.search(found[1])
            data = f"takes from {opened[1]}" if opened else "decodes, or takes from data"
            yield Unread(file.path, f"line {line} runs code that it {data}")


def leaving(project: Project) -> tuple[str, ...]:
    """One sentence about imports that lead above the audited folder, if there are any."""
    found = [*_python_above(project), *(each for each in _relative(project) if each[2].startswith(".."))]
    if not found:
        return ()
    path, line, _ = found[0]
    imports = "1 import leads" if len(found) == 1 else f"{len(found)} imports lead"
    where = "" if len(found) == 1 else "the first "
    return (
        f"{imports} out of the audited folder, {where}at {path}:{line}; what they bring was not read: audit the folder above.",
    )


def _python_above(project: Project) -> Iterator[tuple[str, int, str]]:
    for path, listed in told(codebase_of(project), _imports).items():
        if project.files[path].role is FileRole.RUNTIME:
            pairs: list[tuple[int, str]] = list(dict.fromkeys((int(line), str(name)) for line, name in listed))
            yield from ((path, line, name) for line, name in pairs if _climbs(project, path, line))


def _climbs(project: Project, path: str, line: int) -> bool:
    """Return True if a relative import has more dots than folders above it."""
    dots = _DOTS.match(project.line(path, line))
    return dots is not None and len(dots[1]) - 1 > path.count("/")


def _python(project: Project) -> Iterator[tuple[str, int, str]]:
    codebase = codebase_of(project)
    built = "\n".join(project.text(each) for each in _MANIFESTS if each in project.files)
    for path, listed in told(codebase, _imports).items():
        if project.files[path].role is not FileRole.RUNTIME:
            continue
        for line, module in listed:
            lost = codebase.find_module(module, path) is None and not _climbs(project, path, line)
            if lost and _is_gap(codebase, project, path, module, built):
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
            made = f"{written}.py" in built or _is_built(project, f"{folder}/{name}.py")
            return ready and not beside and not made
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
    for language in SCRIPTS:
        for file in project.of_language(language):
            first = next(imports_of_no_file(project, file.path), None) if file.role is FileRole.RUNTIME else None
            if first:
                yield file.path, first[0], posixpath.relpath(first[1], posixpath.dirname(file.path) or ".")


def imports_of_no_file(project: Project, path: str) -> Iterator[tuple[int, str]]:
    """The lines of a JavaScript file that import code by a path to no file, each with the path beneath the audited folder."""
    for line, target in _relative_in(project, path):
        code = posixpath.splitext(target)[1] in _CODE and not target.startswith("..")
        if code and not _is_there(project, target):
            yield line, target


def _relative(project: Project) -> Iterator[tuple[str, int, str]]:
    files = (file for language in SCRIPTS for file in project.of_language(language) if file.role is FileRole.RUNTIME)
    return ((file.path, *each) for file in files for each in _relative_in(project, file.path))


def _relative_in(project: Project, path: str) -> Iterator[tuple[int, str]]:
    """Imports by a relative path that is not read: the line, and the path beneath the audited folder."""
    resolver, text = project.scripts(), project.text(path)
    for match in (each for each in _RELATIVE.finditer(text) if not _in_comment(text, each.start())):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1]))
        missing = target.startswith("..") or resolver.file(path, match[1]) is None
        if missing and not is_template_text(path, text, match.start()):
            yield text.count("\n", 0, match.start()) + 1, target


def _is_built(project: Project, target: str) -> bool:
    """Return True if a `.gitignore` excludes the file, or a folder around it: it is build output."""
    parts = tuple(target.split("/"))
    folders = ("".join(f"{part}/" for part in parts[:count]) for count in range(len(parts)))
    ignoring = Ignoring()
    lists = [ignoring.parse(path, project.text(path)) for each in folders if (path := f"{each}.gitignore") in project.files]
    files = tuple(each for each in lists if each)
    for count in range(1, len(parts)):
        if ignoring.ignored(tuple(each for each in files if each.depth < count), parts[:count], True):
            return True
    return any(ignoring.ignored(files, (*parts[:-1], parts[-1] + ending), False) for ending in _TRIED)


def _in_comment(text: str, start: int) -> bool:
    """Return True if this place is inside a comment."""
    before = text[text.rfind("\n", 0, start) + 1 : start].lstrip()
    return before.startswith(("//", "*", "/*"))


def _is_there(project: Project, target: str) -> bool:
    skipped = project.once("paths of skipped files", lambda: {each.path for each in project.survey.skipped})
    if any(target + ending in project.files or target + ending in skipped for ending in _TRIED):
        return True
    if (target.endswith(".jsx") and f"{target.removesuffix('.jsx')}.tsx" in project.files) or _is_built(project, target):
        return True
    if any(target == each or target.startswith(f"{each}/") or each.startswith(f"{target}/") for each in skipped):
        return True
    return any((project.root / (target + ending)).is_file() for ending in _TRIED)
