"""Packages and top-level modules, and the files that an audit must not miss (A13)."""

from counterproof.analysis.inventory.domains import is_sensitive
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import imported
from counterproof.analysis.program.traits import told
from counterproof.analysis.program.words import vocabulary, words
from counterproof.model.recon import EntryKind, EntryPoint
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
