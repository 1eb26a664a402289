"""The inventories of languages other than Python: content types, important files, words for the kind of project."""

from functools import cache

from counterproof.analysis.inventory.domains import is_sensitive
from counterproof.analysis.inventory.modules import AUTH, CONFIG, DATA
from counterproof.analysis.libraries import names
from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.polyglot.corpus import OTHERS, Corpus
from counterproof.analysis.polyglot.imports import imported
from counterproof.analysis.polyglot.source import Source
from counterproof.analysis.program.words import words
from counterproof.model.survey import Language

_CONTENT: dict[str, tuple[bytes, ...]] = {
    "multipart": (b"multipart/form-data",),
    "html": (b"<!DOCTYPE html", b"<html"),
    "event stream": (b"text/event-stream",),
    "websocket": (b"WebSocket",),
    "graphql": (b"graphql",),
    "protobuf": (b"protobuf",),
}
"""Text that means the same in every language; library names are in the library files."""
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
    "application.properties", "application.yml", "application.yaml", "web.xml", "config.js", "config.ts", "next.config.js",
    "php.ini", ".htaccess", "security.yaml", "routes.rb", "secrets.yml", "database.yml", "app.php", "wp-config.php", "config.php",
)  # fmt: skip


def other_content_types(corpus: Corpus) -> frozenset[str]:
    found: set[str] = set()
    for source in corpus.sources(*OTHERS):
        found |= {
            kind for kind, marks in _marks(source.language) if kind not in found and any(mark in source.data for mark in marks)
        }
    return frozenset(found)


@cache
def _marks(language: Language) -> tuple[tuple[str, tuple[bytes, ...]], ...]:
    """Text by content type: for a language's libraries, and for all languages."""
    known = {kind.replace("-", " "): names("content", kind, language) for kind in KINDS["content"]}
    return tuple((kind, (*_CONTENT.get(kind, ()), *(each.encode() for each in known.get(kind, ())))) for kind in known | _CONTENT)


def other_p0_files(corpus: Corpus) -> frozenset[str]:
    """Files for authentication, cryptography, data access and configuration, by file name and by used packages."""
    code = {source.path for source in corpus.sources(*OTHERS) if _matters(corpus, source)}
    settings = {
        file.path for file in corpus.project.survey.files if not file.test and file.path.rpartition("/")[2] in _CONFIG_FILES
    }
    return frozenset(code | settings)


def _matters(corpus: Corpus, source: Source) -> bool:
    stem = source.path.rpartition(".")[0]
    named = {word for part in stem.split("/")[-2:] for word in words(part)}
    if named & (AUTH | DATA | CONFIG):
        return True
    if is_sensitive(source.language, imported(corpus, source)):
        return True
    return any(mark in source.data for mark in _MARKS.get(source.language, ()))


def class_words(corpus: Corpus) -> frozenset[str]:
    return frozenset(word for source in corpus.sources(*OTHERS) for each in source.classes for word in words(each.name))
