"""Packages and top-level modules, and the files that an audit must not miss (A13).

Manifest roots: the folders of a tree that are projects of their own (a monorepo has several). A root is a folder with a manifest
that has source of its own beneath it: files for which it is the nearest manifest above. What belongs to a root is told by paths
alone (`model.recon.root_of`), so whoever holds a path knows its root.
"""

from collections.abc import Iterator

from counterproof.analysis.inventory.domains import is_sensitive
from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.mentioned import imported
from counterproof.analysis.outline.traits import told
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.source.origin import in_sample_folder
from counterproof.model.recon import EntryKind, EntryPoint, root_of
from counterproof.model.survey import Language, SourceFile

MAX_DEPTH = 2
_SOURCES = ("src", "lib", "app", "python")
AUTH = vocabulary(
    "auth authentication authorization login session sessions permission permissions security guard guards jwt token "
    "tokens password passwords acl roles oauth sso csrf"
)
DATA = vocabulary("db database dao models model repository repositories store storage queries orm sql persistence")
CONFIG = vocabulary("settings config configuration conf wsgi asgi")
_CONFIG_FILES = (
    "Dockerfile", "docker-compose.yml", "docker-compose.yaml", ".env", "nginx.conf", "Caddyfile", "settings.py", "config.py",
)  # fmt: skip
_HANDLED = (EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.QUEUE, EntryKind.RPC, EntryKind.SCHEDULED)


def modules_of(files: tuple[SourceFile, ...], tests: bool = False) -> tuple[str, ...]:
    """Folders with source, two levels deep, and single files at the top; test code only if asked for."""
    found: set[str] = set()
    for file in files:
        if file.language is None or (file.test and not tests):
            continue
        parts = file.path.split("/")
        folders = parts[:-1]
        start = 1 if folders and folders[0] in _SOURCES and len(folders) > 1 else 0
        found.add("/".join(folders[: start + MAX_DEPTH]) or parts[-1])
    return tuple(sorted(found))


def p0_files(codebase: Codebase, entry_points: tuple[EntryPoint, ...]) -> tuple[str, ...]:
    """Handlers, authentication, cryptography, data access, configuration."""
    handlers = {each.handler.path for each in entry_points if each.kind in _HANDLED}
    code = {path for path in codebase.paths if _matters(codebase, path)}
    settings = {
        file.path for file in codebase.project.survey.files if not file.test and file.path.rpartition("/")[2] in _CONFIG_FILES
    }
    return tuple(sorted(handlers | code | settings))


def _matters(codebase: Codebase, path: str) -> bool:
    named = {word for part in path.removesuffix(".py").split("/")[-2:] for word in words(part)}
    if named & (AUTH | DATA | CONFIG):
        return True
    return is_sensitive(Language.PYTHON, told(codebase, imported).get(path, ()))


TOP = "."
_MANIFESTS = frozenset(
    (
        "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "package.json", "pom.xml", "build.gradle",
        "build.gradle.kts", "go.mod", "composer.json", "Gemfile", "gems.rb",
    )
)  # fmt: skip
MAX_ROOTS = 50
"""Roots that are told apart. In a tree with more, the smallest count as part of the root above them, and that is said."""


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or TOP


def _manifests(project: Project) -> Iterator[str]:
    """Manifests of code that is delivered. A `setup.py` inside a package is a module of that name."""
    for file in project.survey.files:
        folder, _, name = file.path.rpartition("/")
        module = name == "setup.py" and f"{folder}/__init__.py" in project.files
        if name in _MANIFESTS and not module and not file.test and not in_sample_folder(file.path):
            yield file.path


def manifest_roots(project: Project) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Folders in path order, the top as '.', and limitations. Source above every manifest belongs to the top."""
    candidates = {TOP, *(_folder(path) for path in _manifests(project))}
    lines = dict.fromkeys(sorted(candidates), 0)
    for file in project.survey.files:
        if file.language is not None and not file.test:
            lines[root_of(file.path, candidates)] += file.loc
    found = [root for root, loc in lines.items() if loc]
    if len(found) <= MAX_ROOTS:
        return tuple(found) or (TOP,), ()
    largest = sorted(found, key=lambda root: (-lines[root], root))[: MAX_ROOTS - 1]
    said = f"{len(found)} folders have a manifest of their own; the smaller ones count as part of the folder above."
    return tuple(sorted({TOP, *largest})), (said,)
