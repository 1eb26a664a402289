"""Packages and top-level modules, and the files that an audit must not miss (A13)."""

from collections.abc import Iterable

from counterproof.analysis.inventory.domains import is_sensitive
from counterproof.analysis.polyglot import imports
from counterproof.analysis.polyglot.corpus import OTHERS, Corpus
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import imported
from counterproof.analysis.program.traits import told
from counterproof.analysis.program.words import vocabulary, words
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language, SourceFile

MAX_DEPTH = 2
_SOURCES = ("src", "lib", "app", "python")
_TELLING = vocabulary(
    "auth authentication authorization login session sessions permission permissions security guard guards jwt token "
    "tokens password passwords acl roles oauth sso csrf db database dao models model repository repositories store storage "
    "queries orm sql persistence settings config configuration conf wsgi asgi"
)
"""Words in the names of files for authentication, data access and configuration."""
_MARKS: dict[Language, tuple[bytes, ...]] = {
    Language.PHP: (
        b"new PDO(", b"mysqli", b"DB::", b"extends Model", b"EntityManager", b"mysql_query(", b"pg_query(", b"password_hash(",
        b"password_verify(", b"openssl_", b"md5(", b"session_start(", b"Hash::", b"Auth::",
    ),
    Language.RUBY: (
        b"ActiveRecord::", b"< ApplicationRecord", b".find_by_sql", b"connection.execute", b"has_secure_password", b"OpenSSL::",
        b"Digest::", b"JWT.", b"BCrypt",
    ),
}  # fmt: skip
"""Text in code that stores data or secrets, for languages in which imports do not show it."""
_CONFIG_FILES = (
    "Dockerfile", "docker-compose.yml", "docker-compose.yaml", ".env", "nginx.conf", "Caddyfile", "settings.py", "config.py",
    "application.properties", "application.yml", "application.yaml", "web.xml", "config.js", "config.ts", "next.config.js",
    "php.ini", ".htaccess", "security.yaml", "routes.rb", "secrets.yml", "database.yml", "app.php", "wp-config.php", "config.php",
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


def p0_files(codebase: Codebase, corpus: Corpus, entry_points: tuple[EntryPoint, ...]) -> tuple[str, ...]:
    """Handlers, authentication, cryptography, data access, configuration; by file name, by imports, and by texts."""
    found = {each.handler.path for each in entry_points if each.kind in _HANDLED}
    listed = told(codebase, imported)
    found |= {path for path in codebase.paths if _matters(path, Language.PYTHON, listed.get(path, ()))}
    for source in corpus.sources(*OTHERS):
        marked = any(mark in source.data for mark in _MARKS.get(source.language, ()))
        if marked or _matters(source.path, source.language, imports.imported(corpus, source)):
            found.add(source.path)
    files = (each for each in codebase.project.survey.files if not each.test)
    return tuple(sorted(found | {each.path for each in files if each.path.rpartition("/")[2] in _CONFIG_FILES}))


def _matters(path: str, language: Language, names: Iterable[str]) -> bool:
    named = {word for part in path.rpartition(".")[0].split("/")[-2:] for word in words(part)}
    return bool(named & _TELLING) or is_sensitive(language, names)
